//: global 262144
//: local 64
//: arg r.integers(0, 256, 262144 * 4, np.uint8)
//: arg r.integers(0, 256, 262144 * 4, np.uint8)
//: arg np.zeros(262144 * 4, np.uint8)
// Bytes by index, a loop over the channels.
kernel void alpha_blend(global const uchar *fg, global const uchar *bg, global uchar *out) {
  uint p = get_global_id(0) * 4;
  uchar alpha = fg[p + 3];
  for (int c = 0; c < 3; c++) out[p + c] = (fg[p + c] * alpha + bg[p + c] * (255 - alpha)) / 255;
  out[p + 3] = 255;
}
