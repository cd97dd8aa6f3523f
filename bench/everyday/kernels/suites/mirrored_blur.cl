//: global 512 256
//: local 16 16
//: arg r.random(512 * 256, np.float32)
//: arg np.zeros(512 * 256, np.float32)
//: arg np.int32(512)
//: arg np.int32(256)
//: arg np.int32(2)
// A blur along rows of a mirrored image, clamped at the border.
kernel void blur_mirrored(global const float *src, global float *dst, int w, int h, int radius) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int k = -radius; k <= radius; k++)
    sum += src[y * w + clamp(w - 1 - x + k, 0, w - 1)];
  dst[y * w + x] = sum / (2 * radius + 1);
}
