// 16-element vectors of bytes and 8-element vectors of shorts: load, arithmetic, reduction.
// LAUNCH: global=4 local=2 args: x=rand:u8:4x16:0:255 y=zeros:u8:4x16 s=zeros:i16:4x8
kernel void wide(global const uchar16 *x, global uchar16 *y, global short8 *s) {
  size_t g = get_global_id(0);
  uchar16 v = x[g];
  y[g] = (v >> (uchar16)(1)) + (v.s1032547698badcfe & (uchar16)(0x7f));
  short8 d = convert_short8(v.even) - convert_short8(v.odd);
  d.s0 = d.s0 + d.s1 + d.s2 + d.s3 + d.s4 + d.s5 + d.s6 + d.s7;
  s[g] = d * (short8)(2);
}
