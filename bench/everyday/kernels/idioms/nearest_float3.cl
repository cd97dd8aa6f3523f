//: global 4096
//: local 64
//: arg r.random(16384, np.float32)
//: arg r.random(1024, np.float32)
//: arg np.zeros(4096, np.int32)
//: arg np.int32(256)
// The nearest centre of each point, k-means' first step.
kernel void nearest(global const float3 *points, global const float3 *centres, global int *label, int k) {
  int i = get_global_id(0);
  float3 p = points[i];
  float best = FLT_MAX;
  int index = -1;
  for (int c = 0; c < k; c++) {
    float d = distance(p, centres[c]);
    if (d < best) {
      best = d;
      index = c;
    }
  }
  label[i] = index;
}
