// Relational functions on ordinary and special floats: isequal ... isordered, isnan, isinf,
// isfinite, isnormal, signbit, any, all; scalars give 1, vectors -1.
// LAUNCH: global=8 local=8 args: x=values:f32:0,-0.0,1,inf,-inf,nan,1e-40,-3 y=values:f32:-0.0,0,nan,inf,1,nan,1e-40,-2 out=zeros:i32:8x16
// LAUNCH: global=32 local=8 args: x=bits:f32:32 y=bits:f32:32 out=zeros:i32:32x16
kernel void relations(global const float *x, global const float *y, global int16 *out) {
  size_t g = get_global_id(0);
  float a = x[g], b = y[g];
  float2 v = (float2)(a, b);
  int2 n = isnan(v), m = isless(v, v.yx), f = isfinite(v);
  out[g] = (int16)(isequal(a, b), isnotequal(a, b), isgreater(a, b), isgreaterequal(a, b),
                   isless(a, b), islessequal(a, b), islessgreater(a, b), isordered(a, b),
                   isunordered(a, b), isinf(a), isnormal(a), signbit(a), n.x * 10 + m.x, f.y,
                   any(n) * 10 + all(f), (a != a) + 2 * (a < b) + 4 * !(a >= b));
}
