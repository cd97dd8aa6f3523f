//: global 512 256
//: local 16 16
//: arg r.random(512 * 256, np.float32)
//: arg r.uniform(-4, 4, 512 * 256).astype(np.float32)
//: arg r.uniform(-4, 4, 512 * 256).astype(np.float32)
//: arg np.zeros(512 * 256, np.float32)
//: arg np.int32(512)
//: arg np.int32(256)
// An image whose pixels a field of vectors moves; 0 from outside.
kernel void move(global const float *src, global const float *fx, global const float *fy,
                 global float *dst, int w, int h) {
  uint i = get_global_id(0);
  uint j = get_global_id(1);
  float x = i + 0.5f, y = j + 0.5f;
  float x2 = x + fx[j * w + i];
  float y2 = y + fy[j * w + i];
  float pix = 0;
  if (x2 >= 0 && y2 >= 0 && x2 < w && y2 < h) {
    int2 at = (int2)((int)x2, (int)y2);
    pix = src[at.y * w + at.x];
  }
  dst[j * w + i] = pix;
}
