//: global 16384
//: local 128
//: arg r.integers(0, 100, 1 << 20, np.int32)
//: arg np.zeros(128, np.int32)
// A chunk for each group, in steps of the group, eight times.
__kernel void steps(__global const int *a, __global int *out) {
  __local int tmp[128];
  int at = get_group_id(0) * 8192 + get_local_id(0);
  int sum = 0;
  for (int k = 0; k < 64; k++) {
    sum += a[at];
    at += get_local_size(0);
  }
  tmp[get_local_id(0)] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) < 64) tmp[get_local_id(0)] += tmp[get_local_id(0) + 64];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) < 32) tmp[get_local_id(0)] += tmp[get_local_id(0) + 32];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    int total = 0;
    for (int k = 0; k < 32; k++) total += tmp[k];
    out[get_group_id(0)] = total;
  }
}
