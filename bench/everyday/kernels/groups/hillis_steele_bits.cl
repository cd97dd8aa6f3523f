//: global 524288
//: local 256
//: arg r.integers(0, 100, 1 << 19, np.int32)
//: arg np.zeros(1 << 19, np.int32)
//: arg np.zeros(2048, np.int32)
// Scan by butterflies: work-items of the upper half add the last one of the lower half.
__kernel void scan_sklansky(__global const int *in, __global int *out, __global int *totals) {
  __local int s[256];
  int l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < 256; step *= 2) {
    if (l & step) s[l] += s[(l & ~(step - 1)) - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = s[l];
  if (l == 255) totals[get_group_id(0)] = s[255];
}
