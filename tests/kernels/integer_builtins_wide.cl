// Integer functions on 64-bit values and on vectors.
// LAUNCH: global=16 local=4 args: x=bits:i64:16 y=bits:i64:16 out=zeros:i64:16x8 v=rand:i16:16x4:-32768:32767
kernel void integers(global const long *x, global const long *y, global long8 *out,
                     global short4 *v) {
  size_t g = get_global_id(0);
  long a = x[g], b = y[g];
  ulong ua = (ulong)a, ub = (ulong)b;
  out[g] = (long8)(add_sat(a, b), sub_sat(a, b), hadd(a, b), (long)mul_hi(ua, ub), mul_hi(a, b),
                   rotate(a, b), clz(a) + popcount(b), (long)abs_diff(a, b));
  short4 s = v[g];
  s = add_sat(s, s.yzwx) ^ rotate(s, (short4)(1, 2, 3, 20)) ^ max(s, (short)3);
  v[g] = mul_hi(s, s.wzyx) + popcount(s) + convert_short4(abs(s));
}
