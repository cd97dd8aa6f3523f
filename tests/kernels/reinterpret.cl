// as_type: the bits of a value as another type, scalars and vectors of equal size.
// LAUNCH: kernel=bits global=16 local=8 args: x=rand:f32:16:-1e6:1e6 y=rand:u32:16:0:4294967295 out=zeros:u32:16x8
kernel void bits(global const float *x, global const uint *y, global uint8 *out) {
  size_t g = get_global_id(0);
  uint u = as_uint(x[g]);
  float f = as_float((y[g] & 0x7fffffu) | 0x3f800000u);
  uchar4 c = as_uchar4(y[g]);
  ushort2 s = as_ushort2(c.wzyx);
  ulong w = as_ulong((uint2)(u, y[g]));
  int3 three = as_int3((float4)(f, 1.0f, -2.0f, x[g]));
  out[g] = (uint8)(u, as_uint(f), as_uint(c.wzyx), s.x, (uint)(w >> 20), as_uint(three.z),
                   as_uint(-0.0f), (uint)as_char((uchar)y[g]));
}

// Pixels of four bytes in one number, and vectors of three elements, which have the size of four.
// LAUNCH: kernel=packed global=40 local=20 args: in=rand:u32:41:0:4294967295 out=zeros:u32:40
kernel void packed(global const uint *in, global uint *out) {
  size_t g = get_global_id(0);
  uchar4 p = as_uchar4(in[g]);
  uint faint = as_uint((uchar4)(p.zyx / (uchar3)2, 255));
  uchar3 c = as_uchar3(in[g]) + (uchar3)(1, 2, 3);
  short3 s = as_short3((uint2)(in[g], in[g + 1]));
  uint2 low = as_uint2(s + (short3)(g));
  ulong w = as_ulong(as_uchar8((uint2)(in[g + 1], in[g])).s76543210);
  if (c.y & 1) faint += as_uint(rhadd(p, as_uchar4(in[g + 1]).wzyx));
  out[g] = faint ^ (c.x | c.y << 8 | c.z << 16) ^ low.x ^ (low.y & 0xffff) ^ (uint)(w >> 9);
}
