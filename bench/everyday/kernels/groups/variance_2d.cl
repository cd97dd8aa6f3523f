//: global 1024 512
//: local 16 16
//: arg r.random((512, 1024), np.float32)
//: arg np.zeros(64 * 32, np.float32)
//: arg np.int32(1024)
// Variance of each tile of 16 by 16, by a flat tree in two dimensions.
__kernel void tile_variance(__global const float *img, __global float *var, int width) {
  __local float s[256], q[256];
  int x = get_global_id(0), y = get_global_id(1);
  int lid = get_local_id(1) * get_local_size(0) + get_local_id(0);
  float p = img[y * width + x];
  s[lid] = p;
  q[lid] = p * p;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 128; d > 0; d >>= 1) {
    if (lid < d) { s[lid] += s[lid + d]; q[lid] += q[lid + d]; }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0) {
    float mean = s[0] / 256;
    var[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = q[0] / 256 - mean * mean;
  }
}
