//: global 640 360
//: local 16 8
//: arg r.integers(0, 256, 640 * 360 * 3 // 2, np.uint8)
//: arg np.zeros(640 * 360 * 3, np.uint8)
//: arg np.int32(640)
//: arg np.int32(360)
uchar clip(int v) {
  return v < 0 ? 0 : (v > 255 ? 255 : v);
}
__kernel void nv12_to_rgb(__global const uchar *yuv, __global uchar *rgb, int width, int height) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x >= width || y >= height) return;
  __global const uchar *uv = yuv + width * height + (y / 2) * width + (x & ~1);
  int c = yuv[y * width + x] - 16;
  int d = uv[0] - 128;
  int e = uv[1] - 128;
  __global uchar *out = rgb + (y * width + x) * 3;
  out[0] = clip((298 * c + 409 * e + 128) >> 8);
  out[1] = clip((298 * c - 100 * d - 208 * e + 128) >> 8);
  out[2] = clip((298 * c + 516 * d + 128) >> 8);
}
