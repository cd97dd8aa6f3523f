//: global 1048576
//: local 256
//: arg r.random(1 << 20, np.float32)
//: arg np.zeros(4096, np.float32)
// Halves, rounded up: for groups of any size.
__kernel void max_any_size(__global const float *x, __global float *blockmax) {
  __local float m[1024];
  const size_t lid = get_local_id(0);
  m[lid] = x[get_global_id(0)];
  int active = get_local_size(0);
  while (active > 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int half_ = (active + 1) / 2;
    if (lid < active / 2)
      m[lid] = fmax(m[lid], m[lid + half_]);
    active = half_;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lid == 0) blockmax[get_group_id(0)] = m[0];
}
