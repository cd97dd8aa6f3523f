// convert_*: between all sizes, saturating, with rounding modes, scalars and vectors.
// LAUNCH: global=16 local=4 args: f=rand:f32:16:-300:300 i=rand:i32:16:-70000:70000 out=zeros:i32:16x16 fout=zeros:f32:16x4
// LAUNCH: global=8 local=8 args: f=values:f32:0.5,1.5,-0.5,-1.5,2.5,126.6,-128.9,255.5 i=values:i32:0,-1,127,128,255,256,32767,-32769 out=zeros:i32:8x16 fout=zeros:f32:8x4
kernel void conversions(global const float *f, global const int *i, global int16 *out,
                        global float4 *fout) {
  size_t g = get_global_id(0);
  float x = f[g];
  int n = i[g];
  int16 r;
  r.s0 = convert_char_sat(x);
  r.s1 = convert_uchar_sat(x);
  r.s2 = convert_short_rte(x);
  r.s3 = convert_int_rtz(x);
  r.s4 = convert_int_rtp(x);
  r.s5 = convert_int_rtn(x);
  r.s6 = convert_int(x);
  r.s7 = convert_char(n);
  r.s8 = convert_uchar_sat(n);
  r.s9 = convert_short_sat(n);
  r.sa = convert_ushort(n);
  r.sb = (int)convert_uint_sat(n);
  r.sc = convert_char_sat((uint)n);
  r.sd = (int)(convert_long(n) >> 3);
  short2 s = convert_short2_sat_rte((float2)(x * 200.0f, -x));
  r.se = s.x;
  r.sf = s.y;
  out[g] = r;
  fout[g] = (float4)(convert_float(n), convert_float_rtz(n * 1001), convert_float_rtp(n * 999),
                     convert_float((ulong)(uint)n * 65537UL));
}
