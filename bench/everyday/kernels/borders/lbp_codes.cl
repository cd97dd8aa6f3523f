//: global 640 480
//: local 16 16
//: arg r.integers(0, 256, 640 * 480, np.uint8)
//: arg np.zeros(640 * 480, np.uint8)
//: arg np.int32(640)
//: arg np.int32(480)
// Local binary patterns of the inside.
kernel void lbp(global const uchar *img, global uchar *codes, int cols, int rows) {
  int c = get_global_id(0), r = get_global_id(1);
  if (r < 1 || c < 1 || r >= rows - 1 || c >= cols - 1) {
    if (r < rows && c < cols) codes[r * cols + c] = 0;
    return;
  }
  uchar v = img[r * cols + c], code = 0;
  code |= (img[(r - 1) * cols + c - 1] >= v) << 7;
  code |= (img[(r - 1) * cols + c] >= v) << 6;
  code |= (img[(r - 1) * cols + c + 1] >= v) << 5;
  code |= (img[r * cols + c + 1] >= v) << 4;
  code |= (img[(r + 1) * cols + c + 1] >= v) << 3;
  code |= (img[(r + 1) * cols + c] >= v) << 2;
  code |= (img[(r + 1) * cols + c - 1] >= v) << 1;
  code |= (img[r * cols + c - 1] >= v) << 0;
  codes[r * cols + c] = code;
}
