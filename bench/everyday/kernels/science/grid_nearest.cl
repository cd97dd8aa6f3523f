//: global 4096
//: local 64
//: data P = r.random((2048, 2), dtype=np.float32)
//: data K = (P[:, 1] * 16).astype(int) * 16 + (P[:, 0] * 16).astype(int)
//: data O = np.argsort(K, kind='stable')
//: arg P[O].copy()
//: arg np.searchsorted(K[O], np.arange(257)).astype(np.int32)
//: arg r.random((4096, 2), dtype=np.float32)
//: arg np.zeros(4096, np.int32)
// The nearest point, in rings of cells until none can be nearer.
kernel void nearest(global const float2 *pts, global const int *cell, global const float2 *query, global int *result) {
  int q = get_global_id(0);
  float2 p = query[q];
  int cx = min((int)(p.x * 16), 15), cy = min((int)(p.y * 16), 15);
  float best = 1e30f;
  int idx = -1;
  for (int ring = 0; ring < 16; ring++) {
    float reach = (ring - 1) / 16.0f;
    if (ring > 1 && best < reach * reach) break;
    for (int y = cy - ring; y <= cy + ring; y++) {
      if (y < 0 || y > 15) continue;
      int step = (y == cy - ring || y == cy + ring) ? 1 : 2 * ring;
      for (int x = cx - ring; x <= cx + ring; x += step) {
        if (x < 0 || x > 15) continue;
        for (int i = cell[y * 16 + x]; i < cell[y * 16 + x + 1]; i++) {
          float2 d = pts[i] - p;
          float d2 = dot(d, d);
          if (d2 < best) { best = d2; idx = i; }
        }
      }
    }
  }
  result[q] = idx;
}
