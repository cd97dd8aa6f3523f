//: global 512 384
//: local 16 16
//: arg r.random(512 * 384, np.float32)
//: arg np.zeros(512 * 384, np.float32)
//: arg np.int32(512)
//: arg np.int32(384)
//: arg np.float32(0.98)
//: arg np.float32(0.05)
// Rotates an image; bilinear, clamped, 0 far outside.
kernel void rotate_image(global const float *src, global float *dst, int w, int h, float c, float s) {
  int x = get_global_id(0), y = get_global_id(1);
  float u = c * (x - w / 2) - s * (y - h / 2) + w / 2;
  float v = s * (x - w / 2) + c * (y - h / 2) + h / 2;
  float r = 0.0f;
  if (u >= -0.5f && v >= -0.5f && u <= w - 0.5f && v <= h - 0.5f) {
    float fu = floor(u), fv = floor(v);
    int x0 = max((int)fu, 0), y0 = max((int)fv, 0);
    int x1 = min((int)fu + 1, w - 1), y1 = min((int)fv + 1, h - 1);
    float a = u - fu, b = v - fv;
    r = mix(mix(src[y0 * w + x0], src[y0 * w + x1], a), mix(src[y1 * w + x0], src[y1 * w + x1], a), b);
  }
  dst[y * w + x] = r;
}
