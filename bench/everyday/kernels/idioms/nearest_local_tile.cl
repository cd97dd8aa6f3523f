//: global 4096
//: local 64
//: arg r.random(16384, np.float32)
//: arg r.random(1024, np.float32)
//: arg np.zeros(4096, np.int32)
//: arg np.int32(256)
// Centres come through local memory, 64 at a time.
kernel void nearest(global const float4 *points, global const float4 *centres, global int *label, int k) {
  local float4 tile[64];
  int i = get_global_id(0), l = get_local_id(0);
  float4 p = points[i];
  float best = MAXFLOAT;
  int index = 0;
  for (int base = 0; base < k; base += 64) {
    tile[l] = centres[base + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 64; j++) {
      float4 d = tile[j] - p;
      float q = dot(d, d);
      if (q < best) { best = q; index = base + j; }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  label[i] = index;
}
