// as_type: the bits of a value as another type, scalars and vectors of equal size.
// LAUNCH: global=16 local=8 args: x=rand:f32:16:-1e6:1e6 y=rand:u32:16:0:4294967295 out=zeros:u32:16x8
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
