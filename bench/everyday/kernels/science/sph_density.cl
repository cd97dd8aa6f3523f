//: global 4096
//: local 64
//: data P = r.random((4096, 2), dtype=np.float32) * np.float32(32)
//: data K = P[:, 1].astype(int) * 32 + P[:, 0].astype(int)
//: data O = np.argsort(K, kind='stable')
//: data S = np.zeros((4096, 6), np.float32)
//: data _ = S.__setitem__((slice(None), slice(0, 2)), P[O])
//: arg S.view([('pos', 'f4', 2), ('vel', 'f4', 2), ('rho', 'f4'), ('p', 'f4')]).ravel()
//: arg np.searchsorted(K[O], np.arange(1024)).astype(np.uint32)
//: arg np.searchsorted(K[O], np.arange(1, 1025)).astype(np.uint32)
//: arg np.float32(1.0)
//: arg np.uint32(32)
//: arg np.uint32(4096)
// Densities and pressures of smoothed particles on a grid of cells.
struct sph { float2 pos; float2 vel; float rho; float p; };

inline float poly6(float r2, float h2) {
  float d = h2 - r2;
  return d > 0.0f ? 1.5666f * d * d * d : 0.0f;
}

kernel void density(global struct sph *parts, global const uint *begin, global const uint *end, float h, uint cells, uint n) {
  const uint id = get_global_id(0);
  if (id >= n) return;
  const float2 me = parts[id].pos;
  const int2 c = convert_int2(me / h);
  float rho = 0.0f;
  for (int y = max(c.y - 1, 0); y <= min(c.y + 1, (int)cells - 1); ++y)
    for (int x = max(c.x - 1, 0); x <= min(c.x + 1, (int)cells - 1); ++x) {
      const uint cell = y * cells + x;
      for (uint k = begin[cell]; k != end[cell]; ++k) {
        const float2 d = parts[k].pos - me;
        rho += poly6(dot(d, d), h * h);
      }
    }
  parts[id].rho = rho;
  parts[id].p = 20.0f * max(rho - 1.0f, 0.0f);
}
