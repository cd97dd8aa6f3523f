//: global 512 384
//: local 16 16
//: arg r.random(256 * 192 * 4, np.float32)
//: arg np.zeros(512 * 384 * 4, np.float32)
//: arg np.int32(256)
//: arg np.int32(192)
//: arg np.int32(512)
//: arg np.int32(384)
// Enlarges an image twice by a cubic filter, with a function that reads a pixel and clamps.
static float4 readPixel(const __global float4 *src, int x, int y, int w, int h) {
  x = clamp(x, 0, w - 1);
  y = clamp(y, 0, h - 1);
  return src[y * w + x];
}
static float4 cubic(float4 a, float4 b, float4 c, float4 d, float t) {
  return b + 0.5f * t * (c - a + t * (2.0f * a - 5.0f * b + 4.0f * c - d + t * (3.0f * (b - c) + d - a)));
}
__kernel void enlarge(const __global float4 *src, __global float4 *dst, int sw, int sh, int dw, int dh) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= dw || y >= dh) return;
  float fx = (x + 0.5f) * sw / dw - 0.5f;
  float fy = (y + 0.5f) * sh / dh - 0.5f;
  int ix = (int)floor(fx), iy = (int)floor(fy);
  float tx = fx - ix, ty = fy - iy;
  float4 rows[4];
  for (int j = 0; j < 4; j++) {
    float4 a = readPixel(src, ix - 1, iy + j - 1, sw, sh);
    float4 b = readPixel(src, ix, iy + j - 1, sw, sh);
    float4 c = readPixel(src, ix + 1, iy + j - 1, sw, sh);
    float4 d = readPixel(src, ix + 2, iy + j - 1, sw, sh);
    rows[j] = cubic(a, b, c, d, tx);
  }
  dst[y * dw + x] = clamp(cubic(rows[0], rows[1], rows[2], rows[3], ty), 0.0f, 1.0f);
}
