// Edge filter on bytes: clamped coordinates, signed sums, saturating conversion.
// LAUNCH: global=16x12 local=4x6 args: in=rand:u8:12x16:0:255 out=zeros:u8:12x16
// LAUNCH: global=3x3 local=3x1 args: in=rand:u8:3x3:0:255 out=zeros:u8:3x3
int at(global const uchar *p, int x, int y) {
  int w = get_global_size(0), h = get_global_size(1);
  return p[clamp(y, 0, h - 1) * w + clamp(x, 0, w - 1)];
}

kernel void sobel(global const uchar *in, global uchar *out) {
  int x = get_global_id(0), y = get_global_id(1);
  int gx = 0, gy = 0;
  for (int i = -1; i <= 1; ++i) {
    int weight = 2 - abs(i);
    gx += weight * (at(in, x + 1, y + i) - at(in, x - 1, y + i));
    gy += weight * (at(in, x + i, y + 1) - at(in, x + i, y - 1));
  }
  out[y * get_global_size(0) + x] = convert_uchar_sat(abs(gx) + abs(gy));
}
