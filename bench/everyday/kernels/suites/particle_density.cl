//: global 16384
//: local 64
//: data order = np.sort(r.integers(0, 4096, 16384))
//: arg np.stack([order % 16, order // 16 % 16, order // 256, order * 0], 1).astype(np.float32) + r.random((16384, 4), np.float32)
//: arg np.searchsorted(order, np.arange(4097)).astype(np.uint32)
//: arg np.zeros(16384, np.float32)
//: arg np.float32(0.8)
//: arg np.uint32(16384)
// Densities of a fluid's particles, of the neighbours in 27 cells of a grid.
int cell_of(int4 f) { return f.x + f.y * 16 + f.z * 256; }
float of_cell(int cell, global const uint *cells, float4 p, global const float4 *sorted, float h2) {
  uint base = cells[cell];
  uint next = cells[cell + 1];
  int n = next - base;
  float density = 0.0f;
  int i = 0;
  while (i < n) {
    float4 d = p - sorted[base + i];
    float r2 = d.x * d.x + d.y * d.y + d.z * d.z;
    if (r2 < h2) density += (h2 - r2) * (h2 - r2) * (h2 - r2);
    i++;
  }
  return density;
}
kernel void density(global const float4 *sorted, global const uint *cells, global float *rho,
                    float h, uint count) {
  uint id = get_global_id(0);
  if (id >= count) return;
  float4 p = sorted[id];
  int4 f = (int4)((int)p.x, (int)p.y, (int)p.z, 0);
  float sum = 0.0f;
  for (int dz = -1; dz <= 1; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        int4 q = (int4)(f.x + dx, f.y + dy, f.z + dz, 0);
        if (q.x < 0 || q.x > 15 || q.y < 0 || q.y > 15 || q.z < 0 || q.z > 15) continue;
        sum += of_cell(cell_of(q), cells, p, sorted, h * h);
      }
  rho[id] = sum;
}
