// Kernels as people write them: unsigned ids, guards, masks, loops over the grid, updates in place.

// LAUNCH: kernel=reversed global=1024 local=32 args: x=rand:f32:1000 y=zeros:f32:1000 n=1000
kernel void reversed(global const float *x, global float *y, const uint n) {
  const uint i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  if (i >= n)
    return;
  y[n - 1 - i] = x[i] * 2.0f;
}

// A picture by linear ids; the last element has no neighbour.
// LAUNCH: kernel=linear global=64x48 local=8x4 args: y=rand:f32:45x61 x=rand:f32:45x61 w=61 h=45
kernel void linear(global float *y, global const float *x, uint w, uint h) {
  uint i = get_global_id(0), j = get_global_id(1), at = mad24(j, w, i);
  if (i < w && j < h)
    y[at] = x[at] + x[min(at + 1u, w * h - 1u)];
}

// A step of a bitonic sort: pairs are exchanged in place.
// LAUNCH: kernel=bitonic global=512 local=16 args: a=rand:i32:512:0:999 j=4 k=8
kernel void bitonic(global int *a, int j, int k) {
  uint i = get_global_id(0), other = i ^ j;
  if (other > i) {
    int x = a[i], y = a[other];
    if ((i & k) == 0 ? x > y : x < y) {
      a[i] = y;
      a[other] = x;
    }
  }
}

// Rows by turns, and a return in the loop.
// LAUNCH: kernel=rows global=40x8 local=8x2 args: a=rand:f32:33x40 b=rand:f32:33x40 rows=33 cols=37 pitch=40
kernel void rows(global const float *a, global float *b, int rows, int cols, int pitch) {
  for (int r = get_global_id(1); r < rows; r += get_global_size(1)) {
    int c = get_global_id(0);
    if (c >= cols)
      return;
    if (r == c) {
      b[r * pitch + c] = 1;
      continue;
    }
    b[r * pitch + c] = a[r * pitch + c] / (1 + r);
  }
}

// Half of the elements, in place.
// LAUNCH: kernel=red_black global=48x40 local=8x4 args: u=rand:f32:40x50 w=50 h=40 colour=1
kernel void red_black(global float *u, int w, int h, int colour) {
  int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
  if (x >= w - 1 || y >= h - 1)
    return;
  if (((x + y) & 1) == colour)
    u[y * w + x] = 0.25f * (u[y * w + x - 1] + u[y * w + x + 1] + u[(y - 1) * w + x] + u[(y + 1) * w + x]);
}

// A step of a fast Fourier transform.
// LAUNCH: kernel=fft_step global=64 local=8 args: x=rand:f32:128x2 y=zeros:f32:128x2 p=4
kernel void fft_step(global const float2 *x, global float2 *y, int p) {
  int i = get_global_id(0), half_size = get_global_size(0), k = i & (p - 1);
  float2 u = x[i], v = x[i + half_size] * (float2)(1 - k * 0.1f, k * 0.1f);
  int j = ((i - k) << 1) + k;
  y[j] = u + v;
  y[j + p] = u - v;
}

// Three elements, and one of padding, which keeps its value; a table by a masked value.
// LAUNCH: kernel=threes global=100 local=5 args: p=rand:f32:100x4 q=rand:f32:100x4 table=rand:f32:16 y=zeros:f32:100
kernel void threes(global const float3 *p, global float3 *q, global const float *table, global float *y) {
  size_t i = get_global_id(0);
  float3 v = p[i];
  q[i] = v.zyx * 2.0f;
  y[i] = table[(int)(v.x * 100) & 15];
}
