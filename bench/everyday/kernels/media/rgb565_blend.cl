//: global 524288
//: local 256
//: arg r.integers(0, 65536, 524288, np.uint16)
//: arg r.integers(0, 65536, 524288, np.uint16)
//: arg np.zeros(524288, np.uint16)
//: arg np.int32(20)
__kernel void blend565(__global const ushort *a, __global const ushort *b, __global ushort *out, int alpha) {
  uint i = get_global_id(0);
  ushort p = a[i], q = b[i];
  int r0 = (p >> 11) & 0x1f, g0 = (p >> 5) & 0x3f, b0 = p & 0x1f;
  int r1 = (q >> 11) & 0x1f, g1 = (q >> 5) & 0x3f, b1 = q & 0x1f;
  int rr = r0 + (((r1 - r0) * alpha) >> 5);
  int gg = g0 + (((g1 - g0) * alpha) >> 5);
  int bb = b0 + (((b1 - b0) * alpha) >> 5);
  out[i] = (ushort)((rr << 11) | (gg << 5) | bb);
}
