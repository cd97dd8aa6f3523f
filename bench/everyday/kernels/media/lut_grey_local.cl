//: global 524288
//: local 256
//: arg r.integers(0, 256, 524288, np.uint8)
//: arg r.integers(0, 256, 256, np.uint8)
//: arg np.zeros(524288, np.uint8)
kernel void apply_lut(global const uchar *src, global const uchar *table, global uchar *dst) {
  local uchar lut[256];
  lut[get_local_id(0)] = table[get_local_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  size_t i = get_global_id(0);
  dst[i] = lut[src[i]];
}
