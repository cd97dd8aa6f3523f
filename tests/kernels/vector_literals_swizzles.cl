// Vector literals from scalars and vectors; swizzles read and written: .xyzw, .lo .hi .even
// .odd, .s0 .sF; single components; compound assignment to a swizzle.
// LAUNCH: global=8 local=4 args: x=rand:i32:8x4 y=zeros:i32:8x16
kernel void swizzles(global const int4 *x, global int16 *y) {
  int4 a = x[get_global_id(0)];
  int2 b = a.zx;
  int8 c = (int8)(a, b, 7, a.w);
  c.lo = c.hi.wzyx;
  c.even += (int4)(1, 2, 3, 4);
  c.s7 = c.s0 * 2;
  int16 r = (int16)(c, a.xxyy, (int4)(5));
  r.s1 = a.w;
  r.odd.s3 = -1;
  r.sF = r.sa + r.sB;
  a.xy = a.yx;
  a.wz += b;
  r.s89ab = a;
  int3 t = r.s012;
  t.yz = t.zy;
  r.scd = t.xz;
  y[get_global_id(0)] = r;
}
