// More transcendental functions: inverse and hyperbolic ones, pi variants, pown, powr, rootn,
// expm1, log1p, erf.
// LAUNCH: global=64 local=16 tolerance=16ulp args: x=rand:f32:64:0.1:0.9 y=rand:f32:64:1.1:3 out=zeros:f32:64x16
kernel void functions(global const float *x, global const float *y, global float16 *out) {
  size_t g = get_global_id(0);
  float a = x[g], b = y[g];
  out[g] = (float16)(asin(a), acos(a), atan(b), sinh(b), cosh(b), asinh(b), acosh(b), atanh(a),
                     sinpi(a), cospi(a * 0.4f), pown(b, 3), powr(b, a), rootn(b, 3), expm1(a),
                     log1p(b), erf(a));
}
