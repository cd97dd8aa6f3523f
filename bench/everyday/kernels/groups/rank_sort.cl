//: global 32768
//: local 128
//: arg r.integers(0, 500, 1 << 15, np.int32)
//: arg np.zeros(1 << 15, np.int32)
// Sort by counting smaller ones; equal ones keep their order.
__kernel void rank_sort(__global const int *in, __global int *out) {
  __local int keys[128];
  size_t l = get_local_id(0), w = get_local_size(0), base = get_group_id(0) * w;
  int me = in[base + l];
  keys[l] = me;
  barrier(CLK_LOCAL_MEM_FENCE);
  size_t rank = 0;
  for (size_t j = 0; j < w; j++) {
    bool smaller = keys[j] < me || (keys[j] == me && j < l);
    rank += smaller ? 1 : 0;
  }
  out[base + rank] = me;
}
