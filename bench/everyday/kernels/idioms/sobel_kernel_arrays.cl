//: global 1024 512
//: local 16 16
//: arg r.integers(0, 256, 524288, np.uint8)
//: arg np.zeros(524288, np.uint8)
//: arg np.int32(1024)
//: arg np.int32(512)
// Weights in constant tables, clamped neighbours.
__constant int gx[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
__constant int gy[3][3] = {{-1, -2, -1}, {0, 0, 0}, {1, 2, 1}};
kernel void sobel(global const uchar *image, global uchar *edges, int cols, int rows) {
  const int col = get_global_id(0), row = get_global_id(1);
  int sx = 0, sy = 0;
  for (int i = -1; i <= 1; i++) {
    for (int j = -1; j <= 1; j++) {
      int r = clamp(row + i, 0, rows - 1), c = clamp(col + j, 0, cols - 1);
      uchar p = image[r * cols + c];
      sx += gx[i + 1][j + 1] * p;
      sy += gy[i + 1][j + 1] * p;
    }
  }
  edges[row * cols + col] = (uchar)min((int)sqrt((float)(sx * sx + sy * sy)), 255);
}
