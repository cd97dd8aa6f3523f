// The flux of a compressible gas (Euler's equations) into the cells of an unstructured mesh, by the
// scheme of Lax and Friedrichs. A cell has four faces, with a neighbour or -1 (a wall) or -2 (the
// free stream). state[field * cells + cell]: density, momentum x, y, z, energy.
#define GAMMA 1.4f
#define FIELDS 5

typedef struct {
  float density, mx, my, mz, energy;
} State;

float pressure(State s) {
  float square = s.mx * s.mx + s.my * s.my + s.mz * s.mz;
  return (GAMMA - 1.0f) * (s.energy - 0.5f * square / s.density);
}

float fastest(State s, float p) {
  float square = s.mx * s.mx + s.my * s.my + s.mz * s.mz;
  return sqrt(square) / s.density + sqrt(GAMMA * p / s.density);
}

__kernel void compute_flux(__global const int *neighbours, __global const float *normals,
                           __global const float *state, __global const float *stream,
                           __global float *flux, int cells) {
  ID i = get_global_id(0);
  State me = {state[i], state[cells + i], state[2 * cells + i], state[3 * cells + i],
              state[4 * cells + i]};
  float p = pressure(me), speed = fastest(me, p);
  State sum = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
  for (ID face = 0; face < 4; face++) {
    int other = neighbours[face * cells + i];
    float nx = normals[face * cells + i], ny = normals[(4 + face) * cells + i],
          nz = normals[(8 + face) * cells + i];
    if (other == -1) {
      sum.mx += nx * p;
      sum.my += ny * p;
      sum.mz += nz * p;
    } else {
      State you;
      if (other >= 0) {
        you.density = state[other];
        you.mx = state[cells + other];
        you.my = state[2 * cells + other];
        you.mz = state[3 * cells + other];
        you.energy = state[4 * cells + other];
      } else {
        you.density = stream[0];
        you.mx = stream[1];
        you.my = stream[2];
        you.mz = stream[3];
        you.energy = stream[4];
      }
      float q = pressure(you);
      float factor = 0.5f * sqrt(nx * nx + ny * ny + nz * nz) * (speed + fastest(you, q));
      float mine = 0.5f * (me.mx * nx + me.my * ny + me.mz * nz) / me.density;
      float yours = 0.5f * (you.mx * nx + you.my * ny + you.mz * nz) / you.density;
      float half_p = 0.5f * (p + q);
      sum.density += mine * me.density + yours * you.density + factor * (me.density - you.density);
      sum.mx += mine * me.mx + yours * you.mx + nx * half_p + factor * (me.mx - you.mx);
      sum.my += mine * me.my + yours * you.my + ny * half_p + factor * (me.my - you.my);
      sum.mz += mine * me.mz + yours * you.mz + nz * half_p + factor * (me.mz - you.mz);
      sum.energy += mine * (me.energy + p) + yours * (you.energy + q) +
                    factor * (me.energy - you.energy);
    }
  }
  flux[i] = sum.density;
  flux[cells + i] = sum.mx;
  flux[2 * cells + i] = sum.my;
  flux[3 * cells + i] = sum.mz;
  flux[4 * cells + i] = sum.energy;
}
