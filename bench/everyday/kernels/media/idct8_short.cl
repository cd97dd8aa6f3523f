//: global 4096
//: local 64
//: arg r.integers(-512, 512, 4096 * 64, np.int16)
//: arg np.zeros(4096 * 64, np.uint8)
// One 8 x 8 block for each work-item, as in JPEG decoders.
#define C1 1004
#define S1 200
#define C3 851
#define S3 569
#define R2C6 554
#define R2S6 1337
void idct_row(int *b) {
  int x0 = b[0] << 9, x1 = b[1] << 7, x2 = b[2], x3 = b[3] << 7, x4 = b[4] << 9, x5 = b[5], x6 = b[6], x7 = b[7] << 7;
  int t;
  int y0 = x0 + x4, y4 = x0 - x4;
  int y2 = (x2 * R2C6 - x6 * R2S6) >> 0;
  int y6 = (x2 * R2S6 + x6 * R2C6);
  int y1 = x1 + x7, y7 = x1 - x7;
  int y3 = x3 + (x5 << 7), y5 = x3 - (x5 << 7);
  t = y0; y0 = t + y6; y6 = t - y6;
  t = y4; y4 = t + y2; y2 = t - y2;
  int a = (y1 * C3 + y3 * S3) >> 10, c = (y7 * C1 + y5 * S1) >> 10;
  int d = (y3 * C3 - y1 * S3) >> 10, e = (y5 * C1 - y7 * S1) >> 10;
  b[0] = (y0 + a) >> 9; b[7] = (y0 - a) >> 9;
  b[1] = (y4 + c) >> 9; b[6] = (y4 - c) >> 9;
  b[2] = (y2 + d) >> 9; b[5] = (y2 - d) >> 9;
  b[3] = (y6 + e) >> 9; b[4] = (y6 - e) >> 9;
}
__kernel void idct(__global const short *coef, __global uchar *pixels) {
  int id = get_global_id(0);
  int block[64];
  for (int i = 0; i < 64; i++) block[i] = coef[id * 64 + i];
  for (int y = 0; y < 8; y++) idct_row(block + y * 8);
  for (int x = 0; x < 8; x++) {
    int col[8];
    for (int y = 0; y < 8; y++) col[y] = block[y * 8 + x];
    idct_row(col);
    for (int y = 0; y < 8; y++) pixels[id * 64 + y * 8 + x] = clamp((col[y] >> 3) + 128, 0, 255);
  }
}
