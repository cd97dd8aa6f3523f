//: global 512 512
//: local 16 16
//: arg (r.random(512 * 512, np.float32) < 0.02).astype(np.uint8)
//: arg np.zeros(512 * 512, np.uint8)
//: arg np.int32(512)
//: arg np.int32(512)
//: arg np.int32(3)
// Dilation of a mask by a disc, which ends at the first hit.
kernel void dilate(global const uchar *mask, global uchar *out, int w, int h, int radius) {
  int x = get_global_id(0), y = get_global_id(1);
  uchar hit = 0;
  for (int dy = -radius; dy <= radius && !hit; dy++) {
    int yy = y + dy;
    if (yy < 0 || yy >= h) continue;
    for (int dx = -radius; dx <= radius; dx++) {
      int xx = x + dx;
      if (xx < 0 || xx >= w || dx * dx + dy * dy > radius * radius) continue;
      if (mask[yy * w + xx]) {
        hit = 255;
        break;
      }
    }
  }
  out[y * w + x] = hit;
}
