typedef struct {
  float x, y, z, magnitude;
} Sample;

__kernel void phi_mag(__global const float *real, __global const float *imaginary,
                      __global float *magnitude, int count) {
  ID i = get_global_id(0);
  if (i < count)
    magnitude[i] = real[i] * real[i] + imaginary[i] * imaginary[i];
}

// The sum of all samples, as each voxel sees them.
__kernel void compute_q(__global const float *x, __global const float *y, __global const float *z,
                        __global float *real, __global float *imaginary,
                        __global const Sample *samples, int count) {
  ID i = get_global_id(0);
  float px = x[i], py = y[i], pz = z[i], re = real[i], im = imaginary[i];
  for (ID k = 0; k < count; k++) {
    float angle = 6.2831853f * (samples[k].x * px + samples[k].y * py + samples[k].z * pz);
    re += samples[k].magnitude * cos(angle);
    im += samples[k].magnitude * sin(angle);
  }
  real[i] = re;
  imaginary[i] = im;
}
