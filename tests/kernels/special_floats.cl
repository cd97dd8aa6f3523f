// Arithmetic on infinities, NaN, signed zeros and denormal numbers; conversions at the edges.
// LAUNCH: global=8 local=8 args: x=values:f32:inf,-inf,nan,0,-0.0,1e-40,3e38,-1e-45 y=values:f32:inf,2,1,-0.0,-0.0,1e-40,3e38,0.5 out=zeros:f32:8x8
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void edges(global const float *x, global const float *y, global float8 *out) {
  size_t g = get_global_id(0);
  float a = x[g], b = y[g];
  out[g] = (float8)(a + b, a - b, a * b, a / b, b / a, -a, fabs(a) + 0.0f,
                    (float)((double)a * 1e-8));
}
