//: global 2048
//: local 64
//: arg r.integers(-1000, 1000, 2048 * 64, np.int16)
//: arg np.zeros(2048 * 64, np.int8)
//: arg np.arange(1, 65).astype(np.int16)
__constant uchar order[64] = {
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};
kernel void zigzag(global const short *dct, global char *out, constant short *q) {
  int b = get_global_id(0);
  for (int k = 0; k < 64; k++) {
    int p = order[k];
    out[b * 64 + k] = convert_char_sat(dct[b * 64 + p] / q[p]);
  }
}
