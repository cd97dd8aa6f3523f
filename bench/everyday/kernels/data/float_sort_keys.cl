//: global 262144
//: local 256
//: arg r.standard_normal(262144).astype(np.float32)
//: arg r.integers(0, 1 << 16, 262144, np.uint32)
//: arg np.zeros(262144, np.uint64)
// Keys that sort floats, with the row in the lower half.
ulong make_key(float f, uint row) {
  union { float f; uint u; int i; } pun;
  pun.f = f;
  uint mask = (uint)(pun.i >> 31) | 0x80000000u;
  return ((ulong)(pun.u ^ mask) << 32) | row;
}

kernel void keys(global const float *values, global const uint *rows, global ulong *out) {
  out[get_global_id(0)] = make_key(values[get_global_id(0)], rows[get_global_id(0)]);
}
