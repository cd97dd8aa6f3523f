// Potential and forces between the particles of a box and of the boxes around it: a work-group for
// each box. A particle is (x, y, z, half of its squared distance from the origin), what acts on it
// (force in x, y, z, potential).
#define PARTICLES 100

kernel void interact(float a2, global const int *counts, global const int *neighbours,
                     global const float4 *positions, global const float *charges,
                     global float4 *forces)
{
    local float4 here[PARTICLES], there[PARTICLES];
    local float charge[PARTICLES];
    int box = get_group_id(0), tx = get_local_id(0), size = get_local_size(0);
    for (int i = tx; i < PARTICLES; i += size)
        here[i] = positions[box * PARTICLES + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k <= counts[box]; k++) {
        int other = k == 0 ? box : neighbours[box * 26 + k - 1];
        for (int j = tx; j < PARTICLES; j += size) {
            there[j] = positions[other * PARTICLES + j];
            charge[j] = charges[other * PARTICLES + j];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = tx; i < PARTICLES; i += size) {
            float4 force = forces[box * PARTICLES + i];
            for (int j = 0; j < PARTICLES; j++) {
                float r2 = here[i].w + there[j].w -
                           (here[i].x * there[j].x + here[i].y * there[j].y +
                            here[i].z * there[j].z);
                float v = exp(-a2 * r2);
                float s = 2.0f * v * charge[j];
                force.w += charge[j] * v;
                force.x += s * (here[i].x - there[j].x);
                force.y += s * (here[i].y - there[j].y);
                force.z += s * (here[i].z - there[j].z);
            }
            forces[box * PARTICLES + i] = force;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
