// Guards that hold for all work-items of most groups: the ends of buffers, the inside of pictures,
// parts of conditions, and guards that must stay as they are.
// LAUNCH: kernel=ends global=40 local=8 args: in=rand:i32:64 out=zeros:i32:64 n=29 m=3
// LAUNCH: kernel=ends global=40 local=8 args: in=rand:i32:64 out=zeros:i32:64 n=64 m=-5
// LAUNCH: kernel=ends global=40 local=8 offset=8 args: in=rand:i32:64 out=zeros:i32:64 n=-1 m=40
// LAUNCH: kernel=inside global=20x12 local=4x4 args: in=rand:i32:240 out=zeros:i32:240 w=18 h=11
// LAUNCH: kernel=inside global=20x12 local=20x1 args: in=rand:i32:240 out=zeros:i32:240 w=20 h=12
// LAUNCH: kernel=widths global=40 local=8
//     args: in=rand:i32:64 out=zeros:i32:40 n=33 m=4294967295 big=9223372036854775807 small=3
// LAUNCH: kernel=widths global=40 local=8
//     args: in=rand:i32:64 out=zeros:i32:40 n=0 m=17 big=-9223372036854775807 small=-128
// LAUNCH: kernel=loops global=32 local=8 args: in=rand:i32:64 out=zeros:i32:32 n=20 m=9
// LAUNCH: kernel=loops global=32 local=8 args: in=rand:i32:64 out=zeros:i32:32 n=64 m=0
// LAUNCH: kernel=kept global=32 local=8 args: in=rand:i32:64:0:60 out=zeros:i32:32 n=24
// LAUNCH: kernel=different global=24x12 local=4x3 args: out=zeros:i32:288 w=24 h=12 n=9 m=65540
// LAUNCH: kernel=different global=24x12 local=24x1 args: out=zeros:i32:288 w=19 h=10 n=-3 m=5
// LAUNCH: kernel=different global=24x12 local=4x3
//     args: out=zeros:i32:288 w=-2147483648 h=0 n=2147483647 m=4294967295

kernel void ends(global const int *in, global int *out, int n, int m) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  int v = in[i];
  if (i > m)
    v += in[i - m - 1] * 3;
  else
    v -= 7;
  if (!(i + 2 * m <= 30) || n < m)
    v ^= 5;
  if (i < 10 && in[i] > 0)
    v *= 2;
  out[i] = v;
}

kernel void inside(global const int *in, global int *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h) {
    int sum = in[y * w + x];
    if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
      sum = sum * 3 + in[(y - 1) * w + x] - in[(y + 1) * w + x + 1];
    if (x == 0 || y != h - 1)
      sum += 11;
    out[y * w + x] = sum;
  }
}

// Other widths, and numbers that must not wrap in the test for the whole group.
kernel void widths(global const int *in, global int *out, uint n, uint m, long big, char small) {
  size_t i = get_global_id(0);
  uint u = i;
  long l = i;
  int v = 1;
  if (i < n)
    v = v * 3 + in[i];
  if (u < m)
    v = v * 5 + in[u];
  if (u - 3 < m)
    v = v * 7 + 1;
  if (l < big)
    v = v * 11 + 2;
  if (l - 1 >= big)
    v = v * 13 + 3;
  if ((int)i > small)
    v = v * 17 + 4;
  out[i] = v;
}

// Guards on the counters of loops.
kernel void loops(global const int *in, global int *out, int n, int m) {
  int x = get_global_id(0), sum = 1;
  for (int k = -m; k <= m; k++)
    if (x + k >= 0 && x + k < n)
      sum = sum * 3 + in[x + k];
  for (int k = 0; k < m; k += 2)
    for (int j = 0; j < 2; j++) {
      if (x + 3 * k - j < 1)
        continue;
      sum = sum * 5 + k;
    }
  out[x] = sum;
}

// What depends on memory, on what a loop computes, or is no sum.
kernel void kept(global const int *in, global int *out, int n) {
  int x = get_global_id(0), sum = 1;
  if (in[x] < n)
    sum += 1;
  if (in[get_group_id(0)] + x < n)
    sum *= 5;
  for (int k = 0, j = 0; k < 4; k++, j += k)
    if (x + j < n)
      sum = sum * 3 + j;
  if (x * x < n)
    sum += 2;
  if ((x ^ 1) < n)
    sum *= 7;
  out[x] = sum;
}

// Ids that are not to be equal to something.
kernel void different(global int *out, int w, uint h, long n, ulong m) {
  int x = get_global_id(0);
  uint y = get_global_id(1);
  int v = 1;
  if (!(x == 0 || y == 0 || x == w - 1 || y == h - 1))
    v += 2;
  if (x != n)
    v += 4;
  if ((ushort)x != (ushort)m)
    v += 8;
  if (y + 4294967290u != h)
    v += 16;
  for (int k = 0; k < 6; k++)
    if (k != x)
      v += 32;
  if (x != (int)y)
    out[y * 24 + x] = v;
}
