// Integer functions: abs, abs_diff, add_sat, sub_sat, hadd, rhadd, clamp, clz, mad_hi, mad_sat,
// mul_hi, rotate, upsample, mul24, mad24, popcount, min, max; signed and unsigned, 8 to 64 bits.
// LAUNCH: global=32 local=8 args: x=rand:i32:32:-2147483648:2147483647 y=rand:i32:32:-2147483648:2147483647 out=zeros:i32:32x16
// LAUNCH: global=8 local=8 args: x=values:i32:0,1,-1,2147483647,-2147483648,-2147483648,255,-128 y=values:i32:0,-1,-1,2147483647,-2147483648,1,256,127 out=zeros:i32:8x16
kernel void integers(global const int *x, global const int *y, global int16 *out) {
  size_t g = get_global_id(0);
  int a = x[g], b = y[g];
  uint ua = (uint)a, ub = (uint)b;
  int16 r;
  r.s0 = (int)abs(a) ^ (int)abs_diff(a, b);
  r.s1 = add_sat(a, b);
  r.s2 = sub_sat(a, b);
  r.s3 = hadd(a, b);
  r.s4 = rhadd(a, b) ^ (int)rhadd(ua, ub);
  r.s5 = clamp(a, -1000, 1000) + clamp((char)b, (char)-5, (char)5);
  r.s6 = clz(a) * 100 + clz((uchar)b) + clz((short)a) * 10000;
  r.s7 = mad_hi(a, b, 7);
  r.s8 = mad_sat(a, 3, b) ^ (int)mad_sat(ua, 3u, ub);
  r.s9 = mul_hi(a, b) ^ (int)mul_hi(ua, ub);
  r.sa = rotate(a, b) ^ rotate((char)a, (char)3);
  r.sb = upsample((short)a, (ushort)b);
  r.sc = mul24(a >> 20, b >> 20) + mad24(a >> 22, b >> 22, a);
  r.sd = popcount(a) * 100 + popcount((ushort)b);
  r.se = (int)max(ua, ub) ^ min(a, b);
  r.sf = (int)add_sat(ua, ub) ^ (int)sub_sat(ua, ub) ^ add_sat((char)a, (char)b);
  out[g] = r;
}
