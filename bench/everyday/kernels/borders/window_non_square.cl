//: global 640 360
//: local 16 8
//: arg r.random(640 * 360, np.float32)
//: arg r.random(7 * 3, np.float32)
//: arg np.zeros(640 * 360, np.float32)
//: arg np.uint32(640)
//: arg np.uint32(360)
//: arg np.uint32(7)
//: arg np.uint32(3)
// A filter of kw x kh numbers, zero outside, all in uint.
kernel void filter(global const float *src, constant float *k, global float *dst, uint w, uint h, uint kw, uint kh) {
  uint x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h) {
    float acc = 0.f;
    for (uint j = 0; j < kh; ++j) {
      uint yy = y + j - kh / 2;
      if (yy >= h) continue;
      for (uint i = 0; i < kw; ++i) {
        uint xx = x + i - kw / 2;
        if (xx < w) acc += src[yy * w + xx] * k[j * kw + i];
      }
    }
    dst[y * w + x] = acc;
  }
}
