// double: arithmetic, comparisons, conversions, functions with one right answer, vectors.
// LAUNCH: global=16 local=4 args: x=rand:f64:16:-1e3:1e3 y=rand:f64:16:1:9 out=zeros:f64:16x4 n=zeros:i64:16
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void doubles(global const double *x, global const double *y, global double4 *out,
                    global long *n) {
  size_t g = get_global_id(0);
  double a = x[g], b = y[g];
  double2 v = (double2)(a, b) * 0.1 + b;
  out[g] = (double4)(a / b - 1.0, fma(a, b, v.x), sqrt(b) + floor(a), (double)(float)v.y);
  n[g] = (long)(a * 1e12) + (a < b ? 1 : 0) + convert_long_rte(b * 0.5) + as_long(v.x);
}
