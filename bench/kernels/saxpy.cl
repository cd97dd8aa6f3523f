__kernel void saxpy(__global float *restrict y, __global const float *restrict x, float a) {
  ID i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
