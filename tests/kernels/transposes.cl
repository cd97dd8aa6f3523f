// What is in a row along x for one buffer, and along y for another one: ids in two dimensions, and a
// flat id that is divided, with rows of whole tiles and others, and with an offset.
// LAUNCH: global=16x24 local=8x8 kernel=plain args: in=rand:i32:384 out=zeros:i32:384 width=16 height=24
// LAUNCH: global=16x16x2 local=4x16x2 kernel=two args: a=rand:f32:512 b=rand:f32:512 out=zeros:f32:512 c=1.5
// LAUNCH: global=768 local=64 kernel=flat args: in=rand:i32:768 out=zeros:i32:768 width=24 height=32
// LAUNCH: global=768 local=64 kernel=flat args: in=rand:i32:768 out=zeros:i32:768 width=24 height=31
// LAUNCH: global=640 local=64 kernel=flat args: in=rand:i32:640 out=zeros:i32:640 width=10 height=64
// LAUNCH: global=512 offset=64 local=64 kernel=flat args: in=rand:i32:576 out=zeros:i32:576 width=16 height=36
// LAUNCH: global=512 local=64 kernel=guarded args: in=rand:i32:512 out=zeros:i32:512 width=16 height=32
// LAUNCH: global=512 local=64 kernel=guarded args: in=rand:i32:512 out=zeros:i32:512 width=32 height=15
// LAUNCH: global=1024 local=128 kernel=powers args: in=rand:f32:1024 out=zeros:f32:1024 log_width=5 mask=31 height=32
// LAUNCH: global=1024 local=128 kernel=powers args: in=rand:f32:1024 out=zeros:f32:2048 log_width=4 mask=31 height=64
// LAUNCH: global=256 local=64 kernel=product args: a=rand:i32:80 b=rand:i32:80 out=zeros:i32:256 n=16 k=5
kernel void plain(global const int *in, global int *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x * height + y] = 3 * in[y * width + x] + x;
}

kernel void two(global const float *a, global const float *b, global float *out, float c) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  out[256 * z + 16 * y + x] = a[256 * z + 16 * y + x] + c * b[256 * z + 16 * x + y];
}

kernel void flat(global const int *in, global int *out, uint width, uint height) {
  uint i = get_global_id(0), x = i % width, y = i / width;
  if (y < height) out[x * height + y] = in[y * width + x] + 10 * x + i;
}

kernel void guarded(global const int *in, global int *out, int width, int height) {
  int i = get_global_id(0), y = i / width, x = i - y * width;
  if (i < width * height) out[x * height + y] = in[i] + 10 * y;
}

// The mask need not be the width less one.
kernel void powers(global const float *in, global float *out, int log_width, int mask, int height) {
  size_t i = get_global_id(0), x = i & mask, y = i >> log_width;
  out[x * height + y] += in[i] * x;
}

// Columns share rows of one matrix, rows columns of the other one.
kernel void product(global const int *a, global const int *b, global int *out, int n, int k) {
  int i = get_global_id(0), x = i % n, y = i / n, sum = 0;
  for (int j = 0; j < k; j++) sum += a[y * k + j] * b[j * n + x];
  out[i] = sum;
}
