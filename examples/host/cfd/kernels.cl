// Finite volumes for the Euler equations in three dimensions on an unstructured grid. A cell has
// five variables (density, momentum in x, y, z, energy) and four faces; all arrays hold one value
// after the other for all cells: variables[v * cells + c], normals[(d * 4 + face) * cells + c].
#define GAMMA 1.4f
#define FACES 4
#define WING (-1)
#define FAR (-2)

float pressure_of(float density, float mx, float my, float mz, float energy)
{
    return (GAMMA - 1.0f) * (energy - 0.5f * (mx * mx + my * my + mz * mz) / density);
}

kernel void initialise(global float *variables, global const float *far, int cells)
{
    int c = get_global_id(0);
    if (c < cells)
        for (int v = 0; v < 5; v++)
            variables[v * cells + c] = far[v];
}

kernel void step_factor(global const float *variables, global const float *areas,
                        global float *factors, int cells)
{
    int c = get_global_id(0);
    if (c >= cells)
        return;
    float density = variables[c], mx = variables[cells + c], my = variables[2 * cells + c];
    float mz = variables[3 * cells + c], energy = variables[4 * cells + c];
    float p = pressure_of(density, mx, my, mz, energy);
    float speed = sqrt(mx * mx + my * my + mz * mz) / density;
    factors[c] = 0.5f / (sqrt(areas[c]) * (speed + sqrt(GAMMA * p / density)));
}

kernel void flux(global const int *neighbours, global const float *normals,
                 global const float *variables, global const float *far, global float *fluxes,
                 int cells)
{
    int c = get_global_id(0);
    if (c >= cells)
        return;
    float density = variables[c], mx = variables[cells + c], my = variables[2 * cells + c];
    float mz = variables[3 * cells + c], energy = variables[4 * cells + c];
    float p = pressure_of(density, mx, my, mz, energy);
    float speed = sqrt(mx * mx + my * my + mz * mz) / density, sound = sqrt(GAMMA * p / density);
    float f_density = 0.0f, f_mx = 0.0f, f_my = 0.0f, f_mz = 0.0f, f_energy = 0.0f;
    for (int face = 0; face < FACES; face++) {
        int other = neighbours[face * cells + c];
        float nx = normals[face * cells + c];
        float ny = normals[(FACES + face) * cells + c];
        float nz = normals[(2 * FACES + face) * cells + c];
        if (other == WING) {
            f_mx += nx * p;
            f_my += ny * p;
            f_mz += nz * p;
            continue;
        }
        float o_density, o_mx, o_my, o_mz, o_energy;
        if (other == FAR) {
            o_density = far[0];
            o_mx = far[1];
            o_my = far[2];
            o_mz = far[3];
            o_energy = far[4];
        } else {
            o_density = variables[other];
            o_mx = variables[cells + other];
            o_my = variables[2 * cells + other];
            o_mz = variables[3 * cells + other];
            o_energy = variables[4 * cells + other];
        }
        float o_p = pressure_of(o_density, o_mx, o_my, o_mz, o_energy);
        float o_speed = sqrt(o_mx * o_mx + o_my * o_my + o_mz * o_mz) / o_density;
        float o_sound = sqrt(GAMMA * o_p / o_density);
        float size = sqrt(nx * nx + ny * ny + nz * nz);
        float smooth = 0.1f * size * (speed + o_speed + sound + o_sound);
        float through = 0.5f * ((mx * nx + my * ny + mz * nz) / density +
                                (o_mx * nx + o_my * ny + o_mz * nz) / o_density);
        f_density += smooth * (density - o_density) + through * (density + o_density) * 0.5f;
        f_mx += smooth * (mx - o_mx) + through * (mx + o_mx) * 0.5f + 0.5f * nx * (p + o_p);
        f_my += smooth * (my - o_my) + through * (my + o_my) * 0.5f + 0.5f * ny * (p + o_p);
        f_mz += smooth * (mz - o_mz) + through * (mz + o_mz) * 0.5f + 0.5f * nz * (p + o_p);
        f_energy += smooth * (energy - o_energy) +
                    through * 0.5f * (energy + p + o_energy + o_p);
    }
    fluxes[c] = f_density;
    fluxes[cells + c] = f_mx;
    fluxes[2 * cells + c] = f_my;
    fluxes[3 * cells + c] = f_mz;
    fluxes[4 * cells + c] = f_energy;
}

// A stage of a Runge-Kutta step: `stage` is 3, 2, 1.
kernel void advance(global const float *old, global float *variables,
                    global const float *factors, global const float *fluxes, int stage, int cells)
{
    int c = get_global_id(0);
    if (c >= cells)
        return;
    float factor = factors[c] / stage;
    for (int v = 0; v < 5; v++)
        variables[v * cells + c] = old[v * cells + c] - factor * fluxes[v * cells + c];
}
