//: global 65536
//: local 256
//: arg r.integers(0, 1 << 31, 131072).astype(np.uint32)
//: arg np.arange(131072, dtype=np.uint32)
// Sorts 512 keys with their values in each group.
#define N 512
kernel void bitonic_pairs(global uint *keys, global uint *values) {
  local uint k[N], v[N];
  uint l = get_local_id(0), base = get_group_id(0) * N;
  k[l] = keys[base + l];
  v[l] = values[base + l];
  k[l + N / 2] = keys[base + l + N / 2];
  v[l + N / 2] = values[base + l + N / 2];
  for (uint size = 2; size < N; size <<= 1) {
    uint up = (l & (size / 2)) != 0;
    for (uint stride = size / 2; stride > 0; stride >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint p = 2 * l - (l & (stride - 1));
      if ((k[p] > k[p + stride]) == !up) {
        uint t = k[p]; k[p] = k[p + stride]; k[p + stride] = t;
        t = v[p]; v[p] = v[p + stride]; v[p + stride] = t;
      }
    }
  }
  for (uint stride = N / 2; stride > 0; stride >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint p = 2 * l - (l & (stride - 1));
    if (k[p] > k[p + stride]) {
      uint t = k[p]; k[p] = k[p + stride]; k[p + stride] = t;
      t = v[p]; v[p] = v[p + stride]; v[p + stride] = t;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  keys[base + l] = k[l];
  values[base + l] = v[l];
  keys[base + l + N / 2] = k[l + N / 2];
  values[base + l + N / 2] = v[l + N / 2];
}
