//: global 32768
//: local 64
//: arg r.integers(0, 256, (32768, 4), np.uint8)
//: arg r.integers(0, 256, (16, 4), np.uint8)
//: arg np.zeros(32768, np.uint8)
//: arg np.int32(16)
kernel void nearest(global const uchar4 *pixels, constant uchar4 *palette, global uchar *index, int colours) {
  size_t i = get_global_id(0);
  int4 p = convert_int4(pixels[i]);
  int best = INT_MAX;
  uchar at = 0;
  for (int k = 0; k < colours; ++k) {
    int4 d = p - convert_int4(palette[k]);
    d *= d;
    int dist = d.x * 3 + d.y * 6 + d.z;
    if (dist < best) {
      best = dist;
      at = k;
    }
  }
  index[i] = at;
}
