// Operations of one work-item on neighbours in memory, which LLVM packs into vectors.

// LAUNCH: kernel=search global=4x4 local=4x4 args: cur=rand:u8:4096 ref=rand:u8:4096 best=zeros:i32:16 stride=64
kernel void search(global const uchar *cur, global const uchar *ref, global int *best, int stride) {
  int x = get_global_id(0) * 8 + 8, y = get_global_id(1) * 8 + 8, least = 1 << 30, at = 0;
  for (int k = 0; k < 9; k++) {
    int s = 0;
    global const uchar *a = cur + y * stride + x, *b = ref + (y + k / 3 - 1) * stride + x + k % 3 - 1;
    for (int j = 0; j < 8; j++, a += stride, b += stride)
      for (int i = 0; i < 8; i++) s += abs_diff(a[i], b[i]);
    if (s < least) { least = s; at = k; }
    if (least == 0) break;
  }
  best[get_global_id(1) * 4 + get_global_id(0)] = at * 65536 + least;
}

// Bytes that wrap, in rows of which each element needs the one before, and signed ones that do not.
// LAUNCH: kernel=wrap global=16 args: x=rand:u8:272 y=rand:i8:256
kernel void wrap(global uchar *x, global char *y) {
  int i = get_global_id(0);
  for (int k = 0; k < 16; k++) {
    x[17 * i + k + 1] += x[17 * i + k] + (uchar)y[16 * i + k];
    y[16 * i + k] = (y[16 * i + k] - 7) >> 1;
  }
}

// A short loop with a long body: columns of a block in private memory, then its rows.
#define ROTATE(x, y, s) { int t = x * s + y; y = (y * s - x) >> 3; x = t >> 2; }
#define FOUR(s) ROTATE(a, b, s) ROTATE(c, d, s) ROTATE(a, d, s) ROTATE(b, c, s)
// LAUNCH: kernel=columns global=16 args: in=rand:i16:512 out=zeros:i32:512
kernel void columns(global const short *in, global int *out) {
  int i = get_global_id(0), w[32];
  global const short *p = in + 32 * i;
  for (int k = 0; k < 8; k++) {
    int a = p[k], b = p[8 + k], c = p[16 + k], d = p[24 + k];
    FOUR(3) FOUR(5) FOUR(7)
    w[k] = a; w[8 + k] = b; w[16 + k] = c; w[24 + k] = d;
  }
  for (int k = 0; k < 8; k++) {
    int a = w[4 * k], b = w[4 * k + 1], c = w[4 * k + 2], d = w[4 * k + 3];
    FOUR(2) FOUR(3)
    out[32 * i + 4 * k] = a; out[32 * i + 4 * k + 1] = b; out[32 * i + 4 * k + 2] = c; out[32 * i + 4 * k + 3] = d;
  }
}
