//: global 240 160
//: local 16 4
//: arg r.integers(0, 256, (720 * 480, 4), np.uint8)
//: arg np.zeros((240 * 160, 4), np.uint8)
//: arg np.int32(240)
//: arg np.int32(160)
//: arg np.int32(3)
// Mean of factor x factor pixels.
kernel void shrink(global const uchar4 *src, global uchar4 *dst, int w, int h, int factor) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x < w && y < h) {
    int4 sum = (int4)(0);
    for (int j = 0; j < factor; j++) {
      global const uchar4 *row = src + (y * factor + j) * (w * factor) + x * factor;
      for (int i = 0; i < factor; i++) sum += convert_int4(row[i]);
    }
    float scale = 1.0f / (factor * factor);
    dst[y * w + x] = convert_uchar4_sat_rte(convert_float4(sum) * scale);
  }
}
