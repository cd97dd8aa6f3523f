// Loops along a row of each work-item's own: wg-read-rows goes on by 16 bytes. The rows' lengths
// leave all remainders, and none.

// LAUNCH: kernel=sums global=21 local=7 args: a=rand:f32:400 x=rand:f32:19 out=zeros:f32:21 n=19
// LAUNCH: kernel=sums global=16 local=16 args: a=rand:f32:256 x=rand:f32:16 out=zeros:f32:16 n=16
// LAUNCH: kernel=sums global=8 local=8 args: a=rand:f32:256 x=rand:f32:16 out=zeros:f32:8 n=3
// LAUNCH: kernel=sums global=8 local=8 args: a=rand:f32:8 x=rand:f32:1 out=zeros:f32:8 n=0
// LAUNCH: kernel=sums global=8 local=8 args: a=rand:f32:8 x=rand:f32:1 out=zeros:f32:8 n=-2147483648
kernel void sums(global const float *a, global const float *x, global float *out, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < n; k++) s += a[i * n + k] * x[k];
  out[i] = s;
}

// LAUNCH: kernel=from global=12 local=12 args: a=rand:f32:300 out=zeros:f32:12 first=5 n=18
// LAUNCH: kernel=from global=12 local=12 args: a=rand:f32:300 out=zeros:f32:12 first=7 n=-3
// LAUNCH: kernel=from global=12 local=12 args: a=rand:f32:300 out=zeros:f32:12 first=-2 n=9
kernel void from(global const float *a, global float *out, int first, int n) {
  size_t i = get_global_id(0);
  global const float *p = a + i * 20 + 2;
  float s = 1;
  for (int k = first; k < n; ++k) s = s * 0.5f + p[k];
  out[i] = s;
}

// LAUNCH: kernel=bytes global=16 local=16 args: a=rand:u8:800 out=zeros:u32:16 n=45
// LAUNCH: kernel=bytes global=13 local=13 args: a=rand:u8:800 out=zeros:u32:13 n=32
kernel void bytes(global const uchar *a, global uint *out, int n) {
  int i = get_global_id(0);
  uint h = 5381;
  for (int k = 0; k < n; k++) h = h * 33 ^ a[i * n + k];
  out[i] = h;
}

// LAUNCH: kernel=doubles global=8 local=8 args: a=rand:f64:72 out=zeros:f64:8 n=9
kernel void doubles(global const double *a, global double *out, int n) {
  int i = get_global_id(0);
  double s = 0;
  for (int k = 0; k < n; k++) s -= a[i * n + k] * s;
  out[i] = s;
}

// An element is read before it is written, in the same iteration.
// LAUNCH: kernel=in_place global=17 local=17 args: out=rand:f32:187 n=11
kernel void in_place(global float *out, int n) {
  int i = get_global_id(0);
  float before = 0;
  for (int k = 0; k < n; k++) {
    float v = out[i * n + k];
    out[i * n + k] = v - before;
    before = v;
  }
}

// LAUNCH: kernel=copied global=17 local=17 args: a=rand:f32:400 out=zeros:f32:400 n=23
kernel void copied(global const float *a, global float *out, int n) {
  int i = get_global_id(0);
  float m = 0;
  for (int k = 0; k < n; k++) {
    m = fmax(m, a[i * n + k]);
    out[i * n + k] = m;
  }
}

// Some work-items take no part, and some iterations read nothing else.
// LAUNCH: kernel=some global=16 local=16 args: a=rand:f32:400 at=bits:u32:16 out=zeros:f32:16 m=11 n=25
kernel void some(global const float *a, global const uint *at, global float *out, int m, int n) {
  int i = get_global_id(0);
  if (i >= m) return;
  global const float *row = a + (at[i] & 15) * n;
  float s = 0;
  for (int k = 0; k < n; k++)
    if (row[k] > 0.25f) s += row[k];
  out[i] = s;
}

// LAUNCH: kernel=shorts global=12 local=6 args: a=rand:i16:264 b=rand:i8:264 out=zeros:i32:12 n=22
kernel void shorts(global const short *a, global const char *b, global int *out, uint n) {
  uint i = get_global_id(0);
  int s = 1;
  for (uint k = 0; k < n; k++) s = s * a[i * n + k] + b[i * n + k];
  out[i] = s;
}

typedef struct { float scale; char q[32]; } block;
// LAUNCH: kernel=blocks global=8 local=8 args: a=bits:u8:576 x=rand:f32:64 out=zeros:f32:8 n=2
kernel void blocks(global const uchar *a, global const float *x, global float *out, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int b = 0; b < n; b++) {
    global const block *p = (global const block *)a + i * n + b;
    for (int k = 0; k < 32; k++) s += p->q[k] * x[b * 32 + k];
  }
  out[i] = s;
}

// LAUNCH: kernel=beside global=21 local=7 args: a=rand:f32:400 b=rand:i32:400 out=zeros:f32:21 n=19
// LAUNCH: kernel=beside global=16 local=16 args: a=rand:f32:256 b=rand:i32:256 out=zeros:f32:16 n=16
// LAUNCH: kernel=beside global=8 local=8 args: a=rand:f32:256 b=rand:i32:256 out=zeros:f32:8 n=3
kernel void beside(global const float *a, global const int *b, global float *out, int n) {
  int i = get_global_id(0), s = 0;
  float low = a[i * n], high = 0;
  for (int k = 0; k < n; k++) { low = fmin(low, a[i * n + k]); high = fmax(high * 0.5f, a[i * n + k]); }
  for (int k = 0; k < n; k++) s += b[i * n + k];
  out[i] = low + high + (s & 255);
}

// A loop over the parts of an element: four elements are read at once all the same.
// LAUNCH: kernel=parts global=16 local=16 args: a=rand:u32:112 x=rand:f32:56 out=zeros:f32:16 n=7
kernel void parts(global const uint *a, global const float *x, global float *out, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < n; k++) {
    uint v = a[i * n + k];
    for (int j = 0; j < 8; j++) s += (float)(v >> 4 * j & 15) * x[8 * k + j];
  }
  out[i] = s;
}
