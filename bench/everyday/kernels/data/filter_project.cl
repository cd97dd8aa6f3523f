//: global 65536
//: local 256
//: arg r.integers(19920101, 19990101, 65536, np.int32)
//: arg r.integers(0, 11, 65536, np.int32)
//: arg r.integers(1, 51, 65536, np.int32)
//: arg r.random(65536, np.float32) * np.float32(1000)
//: arg np.zeros(256, np.float32)
// Query 6 of TPC-H: a sum of prices times discounts for each group.
__kernel void q6(__global const int *date, __global const int *discount, __global const int *quantity,
                 __global const float *price, __global float *sums) {
  __local float part[256];
  int i = get_global_id(0), l = get_local_id(0);
  float v = 0;
  if (date[i] >= 19940101 && date[i] < 19950101 && discount[i] >= 5 && discount[i] <= 7 && quantity[i] < 24)
    v = price[i] * (discount[i] / 100.0f);
  part[l] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (l < s) part[l] += part[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) sums[get_group_id(0)] = part[0];
}
