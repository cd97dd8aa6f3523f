// A picture with half as many columns and rows of colours as of brightness: vectors store bytes under masks.

// LAUNCH: global=38x6 local=19x2 args: rgb=rand:u8:684 y=zeros:u8:228 u=zeros:u8:57 v=zeros:i16:57 w=38 h=6
// LAUNCH: global=64x4 local=64x1 args: rgb=rand:u8:720 y=zeros:u8:240 u=zeros:u8:60 v=zeros:i16:60 w=60 h=4
kernel void half_planes(global const uchar *rgb, global uchar *y, global uchar *u, global short *v, int w, int h) {
  int x = get_global_id(0), row = get_global_id(1);
  if (x >= w || row >= h) return;
  int i = row * w + x;
  int r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
  y[i] = (66 * r + 129 * g + 25 * b + 128) >> 8;
  if (!(x & 1) && !(row & 1)) {
    int at = row / 2 * (w / 2) + x / 2;
    u[at] = (112 * b - 74 * g - 38 * r + 128) >> 8;
    v[at] = 112 * r - 94 * g - 18 * b + 128;
  }
}
