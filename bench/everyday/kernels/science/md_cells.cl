//: global 4096
//: local 64
//: data P = r.random((4096, 3), dtype=np.float32) * np.float32(8)
//: data K = (P[:, 2].astype(int) * 8 + P[:, 1].astype(int)) * 8 + P[:, 0].astype(int)
//: data O = np.argsort(K, kind='stable')
//: data P4 = np.concatenate([P[O], np.zeros((4096, 1), np.float32)], 1).astype(np.float32).copy()
//: arg P4
//: arg np.searchsorted(K[O], np.arange(513)).astype(np.int32)
//: arg np.zeros((4096, 4), np.float32)
//: arg np.int32(4096)
// Forces of Lennard-Jones by cells of 8 x 8 x 8, particles sorted by cell.
#define G 8
kernel void lj_cells(global const float4 *pos, global const int *start, global float4 *force, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float4 me = pos[i];
  int cx = (int)me.x, cy = (int)me.y, cz = (int)me.z;
  float3 f = (float3)(0.0f);
  for (int dz = -1; dz <= 1; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        int x = cx + dx, y = cy + dy, z = cz + dz;
        if (x < 0 || y < 0 || z < 0 || x >= G || y >= G || z >= G) continue;
        int cell = (z * G + y) * G + x;
        for (int j = start[cell]; j < start[cell + 1]; j++) {
          if (j == i) continue;
          float3 d = me.xyz - pos[j].xyz;
          float r2 = dot(d, d);
          if (r2 < 1.0f) {
            float ir2 = 1.0f / (r2 + 0.01f);
            float ir6 = ir2 * ir2 * ir2;
            f += d * (24.0f * ir2 * ir6 * (2.0f * ir6 - 1.0f));
          }
        }
      }
  force[i] = (float4)(f, 0.0f);
}
