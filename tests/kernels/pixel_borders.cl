// Filters on interleaved colours whose coordinates are clamped or wrap: the colours of a pixel are
// computed one after another.
// LAUNCH: global=37x5 local=37x1 kernel=box args: in=rand:u8:555 out=zeros:u8:555 w=37 h=5
// LAUNCH: global=64x4 local=32x2 kernel=box args: in=rand:u8:768 out=zeros:u8:768 w=63 h=4
// LAUNCH: global=48x3 local=16x1 kernel=edge args: in=rand:i32:288 out=zeros:i32:288 w=48
kernel void box(global const uchar *in, global uchar *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h) return;
  for (int c = 0; c < 3; c++) {
    int sum = 0;
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        int xx = clamp(x + dx, 0, w - 1), yy = clamp(y + dy, 0, h - 1);
        sum += in[(yy * w + xx) * 3 + c];
      }
    out[(y * w + x) * 3 + c] = sum / 9;
  }
}

kernel void edge(global const int *in, global int *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  int left = (x + w - 1) % w, right = (x + 1) % w;
  for (int c = 0; c < 2; c++)
    out[(y * w + x) * 2 + c] = in[(y * w + right) * 2 + c] - in[(y * w + left) * 2 + c];
}
