//: global 1048576
//: local 256
//: arg r.random(1 << 20, np.float32)
//: arg np.zeros(4096, np.float32)
//: arg LocalBytes(1024)
// A tree that reads pairs, and writes them back after a barrier.
__kernel void tree_pairs(__global const float *in, __global float *out, __local float *t) {
  int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int n = get_local_size(0) / 2; n > 0; n /= 2) {
    float s = 0;
    if (l < n) s = t[2 * l] + t[2 * l + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < n) t[l] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = t[0];
}
