//: global 8192
//: local 64
//: arg np.zeros(128, np.float32)
//: arg np.int32(16)
// Numbers of a group's random walks, averaged step by step in local memory.
uint lcg(uint *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state;
}

kernel void walks(global float *mean, int steps) {
  local float sums[64];
  int l = get_local_id(0);
  uint state = get_global_id(0) * 747796405u + 1u;
  float x = 0.0f, total = 0.0f;
  for (int s = 0; s < steps; s++) {
    for (int k = 0; k < 8; k++) x += (lcg(&state) >> 8) * (2.0f / 16777216.0f) - 1.0f;
    sums[l] = x * x;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 32; d > 0; d >>= 1) {
      if (l < d) sums[l] += sums[l + d];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    total += sums[0];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) mean[get_group_id(0)] = total / (64.0f * steps);
}
