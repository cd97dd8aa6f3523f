// Loops whose bounds differ between work-items: windows clamped to a picture, rows of strides,
// empty ranges, and bounds that must stay as they are.
// LAUNCH: global=40x9 local=20x3 kernel=taps
//     args: in=rand:f32:9x40 out=zeros:f32:9x40 weights=rand:f32:25 w=40 h=9 r=2
// LAUNCH: global=40x9 local=8x1 kernel=taps
//     args: in=rand:f32:9x40 out=zeros:f32:9x40 weights=rand:f32:49 w=37 h=5 r=3
// LAUNCH: global=40x3 local=20x3 kernel=three
//     args: in=rand:f32:3x40 out=zeros:f32:3x40 w=40 h=3
// LAUNCH: kernel=window global=24x6 local=8x3 tolerance=0ulp
//     args: in=rand:f32:144:-9:9 out=zeros:f32:144 w=24 h=6 rx=3 ry=1
// LAUNCH: kernel=window global=24x6 local=4x2
//     args: in=rand:f32:144:-9:9 out=zeros:f32:144 w=24 h=6 rx=5 ry=2
// LAUNCH: kernel=window global=24x6 local=4x6
//     args: in=rand:f32:144:-9:9 out=zeros:f32:144 w=24 h=6 rx=100 ry=2147483
// LAUNCH: kernel=window global=24x6 local=24x1
//     args: in=rand:f32:144:-9:9 out=zeros:f32:144 w=7 h=2 rx=2 ry=0
// LAUNCH: kernel=window global=16x4 local=16x4 offset=8x2
//     args: in=rand:f32:144:-9:9 out=zeros:f32:144 w=24 h=6 rx=-1 ry=2
// LAUNCH: kernel=forms global=32 local=16 args: in=rand:i32:64 out=zeros:i32:32 n=30 r=5
// LAUNCH: kernel=forms global=32 local=32 args: in=rand:i32:64 out=zeros:i32:32 n=7 r=0
// LAUNCH: kernel=forms global=24 local=8 args: in=rand:i32:64 out=zeros:i32:32 n=64 r=40
// LAUNCH: kernel=longs global=32 local=16 args: in=rand:i32:64 out=zeros:i64:32 n=30 r=5
// LAUNCH: kernel=longs global=32 local=8 args: in=rand:i32:64 out=zeros:i64:32 n=9223372036854775807 r=2
// LAUNCH: kernel=longs global=32 local=8 args: in=rand:i32:64 out=zeros:i64:32 n=-9223372036854775807 r=3
// LAUNCH: kernel=strides global=16 local=8 args: in=rand:i32:100 out=zeros:i32:16 n=100
// LAUNCH: kernel=strides global=16 local=4 args: in=rand:i32:100 out=zeros:i32:16 n=3
// LAUNCH: kernel=unsigned_ones global=24 local=8 args: in=rand:i32:64 out=zeros:i32:24 n=60 r=4
// LAUNCH: kernel=unsigned_ones global=24 local=8 args: in=rand:i32:64 out=zeros:i32:24 n=20 r=4294967290
// LAUNCH: kernel=masked global=24 local=8 args: in=rand:i32:24 out=zeros:i32:24 n=24

// A sum whose order shows: each work-item must keep its own.
kernel void window(global const float *in, global float *out, int w, int h, int rx, int ry) {
  int x = get_global_id(0), y = get_global_id(1);
  int left = max(0, x - rx), right = min(w - 1, x + rx);
  float sum = 1.0f;
  for (int i = left; i <= right; i++)
    for (int j = max(0, y - ry); j < min(h, y + ry + 1); j++)
      sum = sum * 0.75f + in[j * w + i] * (i - x + 2 * (j - y));
  out[y * 24 + x] = sum;
}

// The same bounds in other words.
kernel void forms(global const int *in, global int *out, int n, int r) {
  int x = get_global_id(0), sum = 0;
  int low = x - r;
  if (low < 0)
    low = 0;
  int high = x + r + 1 < n ? x + r + 1 : n;
  for (int i = low; i < high; i++)
    sum = sum * 3 + in[i];
  for (int i = clamp(x - r, 0, n); i < clamp(x + r, 0, n); i++)
    sum = sum * 5 + in[i];
  for (int i = high - 1; i >= low; i--)
    sum = sum * 7 + in[i];
  for (int i = x; i < x + 3; i++)
    sum = sum * 11 + in[i];
  for (int i = max(max(1, x - r), 2 * x - 20); i < min(min(n, x + r), 40 - x); i++)
    sum = sum * 13 + in[i];
  for (int i = x; i < min(n, x + 1000000000); i++)
    sum = sum * 17 + in[i];
  for (int i = max(0, x - 3) + 1; i <= min(n, x + 3) - 1; i++)
    sum = sum * 19 + i;
  out[x] = sum;
}

kernel void longs(global const int *in, global long *out, long n, int r) {
  long x = get_global_id(0), sum = 0;
  for (long i = max(0L, x - r); i < min(n, x + r + 1); i++)
    sum = sum * 3 + in[i];
  for (long i = max(n - 4, x); i < min(n, x + 5); i++)
    sum = sum * 5 + i;
  for (size_t i = get_global_id(0); i < 60; i += get_global_size(0))
    sum = sum * 7 + in[i];
  out[x] = sum;
}

// Steps other than 1: from a start that is clamped, the first iteration would be unknown.
kernel void strides(global const int *in, global int *out, int n) {
  int x = get_global_id(0), sum = 0;
  for (int i = x; i < n; i += 16)
    sum = sum * 3 + in[i];
  for (int i = x; i < min(n, x + 10); i += 3)
    sum = sum * 5 + in[i];
  for (int i = max(5, x); i < min(n, x + 10); i += 3)
    sum = sum * 7 + in[i];
  for (int i = 6 * x; i < min(n, 6 * x + 6); i++)
    sum = sum * 11 + in[i];
  for (int i = max(2, 6 * x); i < min(n, 6 * x + 6); i++)
    sum = sum * 13 + in[i];
  out[x] = sum;
}

// Unsigned arithmetic wraps.
kernel void unsigned_ones(global const int *in, global int *out, uint n, uint r) {
  uint x = get_global_id(0);
  int sum = 0;
  for (uint i = x < r ? 0 : x - r; i < min(n, x + r); i++)
    sum = sum * 3 + in[i];
  for (uint i = x; i < min(n, 30u); i++)
    sum = sum * 5 + in[i];
  for (uint i = x - 4; i < x + 4 && i < n; i++)
    sum = sum * 7 + in[i];
  out[x] = sum;
}

// Loops that only some work-items come to, with a branch and a write inside.
kernel void masked(global const int *in, global int *out, int n) {
  int x = get_global_id(0);
  if (in[x] % 3 != 0)
    for (int i = max(0, x - 2); i <= min(n - 1, x + 2); i++)
      for (int j = max(i, x); j < min(n, x + 4); j++)
        if (in[i] < in[j])
          out[x] = out[x] * 3 + in[i] - j;
}

// The taps that are inside, by their own numbers: the border moves with the id.
kernel void taps(global const float *in, global float *out, global const float *weights,
                 int w, int h, int r) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int j = max(r - y, 0); j < min(h + r - y, 2 * r + 1); j++)
    for (int i = max(r - x, 0); i < min(w + r - x, 2 * r + 1); i++)
      sum += weights[j * (2 * r + 1) + i] * in[(y + j - r) * w + x + i - r];
  out[y * get_global_size(0) + x] = sum;
}

kernel void three(global const float *in, global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1), first = max(1 - x, 0), end = min(w + 1 - x, 3);
  float sum = 0;
  for (int j = max(1 - y, 0); j < min(h + 1 - y, 3); j++)
    for (int i = first; i < end; i++) sum = 0.5f * sum + in[(y + j - 1) * w + x + i - 1];
  out[y * w + x] = sum;
}
