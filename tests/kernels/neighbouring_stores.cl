// Stores of a work-item to neighbouring elements, which vectors write as rows.
// LAUNCH: global=70 local=35 kernel=colours args: in=rand:u8:210 out=zeros:u8:210
// LAUNCH: global=64 local=32 kernel=swapped args: pixels=rand:u8:192
// LAUNCH: global=64 local=32 kernel=gaps args: in=rand:f32:64 out=rand:f32:256
// LAUNCH: global=64 local=32 kernel=twice args: in=rand:i32:64 out=zeros:i32:128
// LAUNCH: global=64 local=32 kernel=read args: out=rand:i32:192
// LAUNCH: global=64 local=32 kernel=two args: a=rand:i32:128 b=zeros:i32:128
// LAUNCH: global=64 local=32 kernel=guarded args: in=rand:i32:64 out=zeros:i32:128 n=41
// LAUNCH: global=64 local=32 kernel=backwards args: in=rand:i16:64 out=zeros:i16:260
// LAUNCH: global=64 local=32 kernel=far args: in=rand:i32:64 out=zeros:i32:400
kernel void colours(global const uchar *in, global uchar *out) {
  int i = get_global_id(0);
  uchar r = in[3 * i], g = in[3 * i + 1], b = in[3 * i + 2];
  out[3 * i] = b;
  out[3 * i + 1] = g;
  out[3 * i + 2] = (r + g + b) / 3;
}

kernel void swapped(global uchar *pixels) {
  global uchar *p = pixels + 3 * get_global_id(0);
  uchar r = p[0];
  p[0] = p[2];
  p[2] = r;
  p[1] ^= r;
}

// What is between keeps its values.
kernel void gaps(global const float *in, global float *out) {
  int i = get_global_id(0);
  out[4 * i] = in[i];
  out[4 * i + 3] = in[i] * 2;
  out[4 * i + 1] = 7;
}

kernel void twice(global const int *in, global int *out) {
  int i = get_global_id(0);
  out[2 * i] = in[i];
  out[2 * i + 1] = 3;
  out[2 * i] = in[i] + 1;
}

// A work-item reads what it has written.
kernel void read(global int *out) {
  int i = get_global_id(0);
  out[3 * i] = i;
  out[3 * i + 1] = out[3 * i] + 1;
  out[3 * i + 2] = out[3 * i + 1] * 2;
}

kernel void two(global int *a, global int *b) {
  int i = get_global_id(0);
  a[2 * i] = i;
  b[2 * i] = a[2 * i + 1];
  a[2 * i + 1] = 5;
  b[2 * i + 1] = i * i;
}

kernel void guarded(global const int *in, global int *out, int n) {
  int i = get_global_id(0);
  if (i < n) {
    out[2 * i + 1] = in[i];
    out[2 * i] = i;
  }
  if (in[i] & 1) {
    out[2 * i] = 1;
    out[2 * i + 1] = 2;
  }
}

// The distances grow downwards, and two rows overlap.
kernel void backwards(global const short *in, global short *out) {
  int i = get_global_id(0);
  out[4 * i + 5] = in[i];
  out[4 * i + 4] = 1;
  out[4 * i + 3] = 2;
  out[4 * i + 2] = in[i] * 3;
}

// The second store is not in the row of the first one.
kernel void far(global const int *in, global int *out) {
  int i = get_global_id(0);
  out[3 * i] = in[i];
  out[3 * i + 200] = 1;
  out[3 * i + 1] = 2;
}
