// Addresses that jump at borders: clamped, wrapped, mirrored, chosen; with guards and loops.
// LAUNCH: kernel=blur global=48x6 local=16x2 args: out=zeros:f32:288 in=rand:f32:288 w=48 h=6
// LAUNCH: kernel=blur global=64x4 local=64x1 args: out=zeros:f32:256 in=rand:f32:256 w=50 h=3
// LAUNCH: kernel=blur global=32x4 local=32x4 offset=16x1 args: out=zeros:f32:512 in=rand:f32:512 w=64 h=8
// LAUNCH: kernel=blur global=32x2 local=16x2 args: out=zeros:f32:64 in=rand:f32:64 w=1 h=1
// LAUNCH: kernel=wrap global=96 local=32 args: out=zeros:f32:96 in=rand:f32:96 n=96
// LAUNCH: kernel=wrap global=96 local=96 args: out=zeros:f32:96 in=rand:f32:96 n=37
// LAUNCH: kernel=wrap global=32 local=32 args: out=zeros:f32:32 in=rand:f32:96 n=-5
// LAUNCH: kernel=unsigned_wrap global=64 local=32 args: out=zeros:i32:64 in=rand:i32:64 n=64
// LAUNCH: kernel=unsigned_wrap global=64 local=64 args: out=zeros:i32:64 in=rand:i32:64 n=3
// LAUNCH: kernel=mirror global=64 local=32 args: out=zeros:i32:64 in=rand:i32:64 n=64 r=3
// LAUNCH: kernel=mirror global=64 local=64 args: out=zeros:i32:64 in=rand:i32:64 n=40 r=1
// LAUNCH: kernel=window global=64 local=32 args: out=zeros:i32:64 in=rand:i32:64 n=64 r=2
// LAUNCH: kernel=window global=64 local=64 args: out=zeros:i32:64 in=rand:i32:64 n=64 r=70
// LAUNCH: kernel=triangle global=32x8 local=32x2 args: out=zeros:f32:256 a=rand:f32:1024 n=32

kernel void blur(global float *out, global const float *in, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h) return;
  int l = max(x - 1, 0), r = min(x + 1, w - 1), u = max(y - 1, 0), d = min(y + 1, h - 1);
  out[y * w + x] = in[y * w + x] + in[y * w + l] + in[y * w + r] + in[u * w + x] + in[d * w + x];
}

kernel void wrap(global float *out, global const float *in, int n) {
  int x = get_global_id(0);
  int m = n > 0 ? n : 32;
  out[x] = in[(x + 1) % n] + in[(x + m - 1) % m] - in[x % m];
}

kernel void unsigned_wrap(global int *out, global const int *in, uint n) {
  uint x = get_global_id(0);
  out[x] = in[(x + 1) % n] + in[(x + n - 1) % n];
}

kernel void mirror(global int *out, global const int *in, int n, int r) {
  int x = get_global_id(0);
  int left = x - r < 0 ? r - x : x - r;
  int right = x + r >= n ? 2 * (n - 1) - x - r : x + r;
  out[x] = x < n ? in[left] + in[abs(right)] : -1;
}

kernel void window(global int *out, global const int *in, int n, int r) {
  int x = get_global_id(0), sum = 0;
  for (int i = -r; i <= r; i++) sum += (r + i + 1) * in[clamp(x + i, 0, n - 1)];
  out[x] = sum;
}

kernel void triangle(global float *out, global const float *a, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  int i = x < y ? y : x, j = x < y ? x : y;
  out[y * n + x] = a[i * n + j];
}
