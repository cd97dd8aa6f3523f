//: global 256 64
//: local 16 16
//: arg np.zeros(256 * 64, np.float32)
//: arg r.random(256 * 64, np.float32)
//: arg np.int32(3)
//: arg np.int32(3)
// The median of a box, by a selection sort of a private array.
#define W 256
#define H 64
inline float pixel(global const float *b, int2 p) {
  p = clamp(p, (int2)(0, 0), (int2)(W - 1, H - 1));
  return b[p.y * W + p.x];
}
inline void copy_box(float a[], global const float *src, int2 at, int Nx, int Ny) {
  int n = 0;
  const int2 e = (int2)((Nx - 1) / 2, (Ny - 1) / 2);
  for (int x = -e.x; x <= e.x; x++)
    for (int y = -e.y; y <= e.y; y++) {
      a[n] = pixel(src, at + (int2)(x, y));
      n++;
    }
}
inline float median(float a[], int n) {
  for (int i = 0; i < n - 1; i++) {
    int least = i;
    for (int j = i + 1; j < n; j++)
      if (a[j] < a[least]) least = j;
    float t = a[least]; a[least] = a[i]; a[i] = t;
  }
  return a[n / 2];
}
kernel void median_box(global float *dst, global const float *src, const int Nx, const int Ny) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  float a[9];
  copy_box(a, src, at, Nx, Ny);
  dst[at.y * W + at.x] = median(a, Nx * Ny);
}
