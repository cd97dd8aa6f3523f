//: global 64 64 8
//: local 16 4 1
//: arg np.zeros(64 * 64 * 8, np.float32)
//: arg r.random(64 * 64 * 8, np.float32)
//: arg np.int32(5)
//: arg np.int32(5)
//: arg np.int32(3)
// The mean of the voxels in an ellipsoid, with a reader that clamps.
#define W 64
#define H 64
#define D 8
inline float2 read3(global float *b, int4 at) {
  int4 p = at;
  p.x = max(p.x, 0); p.y = max(p.y, 0); p.z = max(p.z, 0);
  p.x = min(p.x, W - 1); p.y = min(p.y, H - 1); p.z = min(p.z, D - 1);
  return (float2)(b[p.x + p.y * W + p.z * W * H], 0);
}
inline void write3(global float *b, int4 p, float v) {
  if (p.x < 0 || p.x >= W || p.y < 0 || p.y >= H || p.z < 0 || p.z >= D) return;
  b[p.x + p.y * W + p.z * W * H] = v;
}
kernel void mean_sphere(global float *dst, global float *src, const int Nx, const int Ny,
                        const int Nz) {
  const int i = get_global_id(0), j = get_global_id(1), k = get_global_id(2);
  const int4 at = (int4)(i, j, k, 0);
  const int4 e = (int4)((Nx - 1) / 2, (Ny - 1) / 2, (Nz - 1) / 2, 0);
  int count = 0;
  float sum = 0;
  float a2 = e.x * e.x, b2 = e.y * e.y, c2 = e.z * e.z;
  if (a2 == 0) a2 = FLT_MIN;
  if (b2 == 0) b2 = FLT_MIN;
  if (c2 == 0) c2 = FLT_MIN;
  for (int x = -e.x; x <= e.x; x++) {
    float x2 = x * x;
    for (int y = -e.y; y <= e.y; y++) {
      float y2 = y * y;
      for (int z = -e.z; z <= e.z; z++) {
        float z2 = z * z;
        if (x2 / a2 + y2 / b2 + z2 / c2 <= 1.0) {
          sum = sum + read3(src, at + (int4)(x, y, z, 0)).x;
          count++;
        }
      }
    }
  }
  write3(dst, at, sum / count);
}
