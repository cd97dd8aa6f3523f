//: global 9 9 64
//: local 3 3 8
//: arg r.random(64 * 34 * 34, np.float32)
//: arg np.zeros(36 * 64 * 81, np.float32)
//: arg np.int32(34)
//: arg np.int32(34)
//: arg np.int32(9)
//: arg np.int32(9)
//: arg np.int32(64)
// Winograd transform of the input, F(4x4, 3x3), with a border of zeros.
#define TILE 6
#define OUT 4

void line(float *p, int s) {
  float a = p[0], b = p[s], c = p[2 * s], d = p[3 * s], e = p[4 * s], f = p[5 * s];
  p[0]     = 4.0f * a - 5.0f * c + e;
  p[s]     = -4.0f * (b + c) + d + e;
  p[2 * s] = 4.0f * (b - c) - d + e;
  p[3 * s] = -2.0f * b - c + 2.0f * d + e;
  p[4 * s] = 2.0f * b - c - 2.0f * d + e;
  p[5 * s] = 4.0f * b - 5.0f * d + f;
}

kernel void winograd_input(global const float *in, global float *out, int w, int h, int tx, int ty, int channels) {
  const int bx = get_global_id(0);
  const int by = get_global_id(1);
  const int c = get_global_id(2);
  if (bx >= tx || by >= ty || c >= channels) return;
  float t[TILE * TILE];
  const int x0 = bx * OUT - 1;
  const int y0 = by * OUT - 1;
#pragma unroll
  for (int j = 0; j < TILE; j++) {
#pragma unroll
    for (int i = 0; i < TILE; i++) {
      int x = x0 + i, y = y0 + j;
      float v = 0.0f;
      if (x >= 0 && x < w && y >= 0 && y < h) v = in[(c * h + y) * w + x];
      t[j * TILE + i] = v;
    }
  }
#pragma unroll
  for (int j = 0; j < TILE; j++) line(t + j * TILE, 1);
#pragma unroll
  for (int i = 0; i < TILE; i++) line(t + i, TILE);
#pragma unroll
  for (int k = 0; k < TILE * TILE; k++)
    out[(k * channels + c) * tx * ty + by * tx + bx] = t[k];
}
