//: global 16384
//: local 128
//: arg r.random(1000000, np.float32)
//: arg np.zeros(128, np.float32)
//: arg np.int32(1000000)
// Each work-item sums a chunk of its own; a serial end.
__kernel void chunk_sums(__global const float *a, __global float *partial, int n) {
  __local float sums[128];
  int per = (n + get_global_size(0) - 1) / get_global_size(0);
  int first = get_global_id(0) * per;
  int last = min(first + per, n);
  float s = 0.0f;
  for (int i = first; i < last; i++) s += a[i];
  sums[get_local_id(0)] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    float total = 0.0f;
    for (int k = 0; k < get_local_size(0); k++) total += sums[k];
    partial[get_group_id(0)] = total;
  }
}
