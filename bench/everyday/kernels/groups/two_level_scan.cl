//: global 65536
//: local 64
//: arg r.integers(0, 10, 1 << 18, np.int32)
//: arg np.zeros(1 << 18, np.int32)
// Four elements each by a vector; the sums are scanned by the group.
__kernel void scan_vec4(__global const int4 *in, __global int4 *out) {
  __local int sums[64];
  const int t = get_local_id(0);
  int4 v = in[get_global_id(0)];
  v.y += v.x; v.z += v.y; v.w += v.z;
  sums[t] = v.w;
  int offset = 1;
  do {
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = t - offset >= 0 ? sums[t - offset] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[t] += other;
    offset <<= 1;
  } while (offset < 64);
  barrier(CLK_LOCAL_MEM_FENCE);
  int before = t ? sums[t - 1] : 0;
  out[get_global_id(0)] = v + before;
}
