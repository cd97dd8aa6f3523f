// Neighbouring elements of each work-item: loaded together, but not across a store that may change
// them, and never beyond the last one.
// LAUNCH: kernel=channels global=37 local=37 args: in=rand:u8:111 out=zeros:i32:37
// LAUNCH: kernel=channels global=64 local=32 args: in=rand:u8:192 out=zeros:i32:64
// LAUNCH: kernel=shorts global=48 local=16 args: in=rand:i16:96 out=zeros:i16:48
// LAUNCH: kernel=floats global=32 local=32 args: in=rand:f32:160:-9:9 out=zeros:f32:32
// LAUNCH: kernel=updated global=32 local=16 args: p=rand:u8:128
// LAUNCH: kernel=loop global=32 local=16 args: p=rand:u8:128 out=zeros:u8:128 n=4
// LAUNCH: kernel=loop global=20 local=20 args: p=rand:u8:128 out=zeros:u8:128 n=0
// LAUNCH: kernel=apart global=32 local=16 args: in=rand:u8:240 out=zeros:i32:32
// LAUNCH: kernel=wrapping global=32 local=16 args: in=rand:u8:128 out=zeros:i32:32 start=4294967295
// LAUNCH: kernel=backwards global=37 local=37 args: in=rand:u8:111 out=rand:u8:111 n=37
// LAUNCH: kernel=backwards global=64 local=32 args: in=rand:u8:111 out=rand:u8:111 n=37
// LAUNCH: kernel=backwards_words global=48 local=16 args: p=rand:i32:144 q=rand:i32:96 n=48
// LAUNCH: kernel=backwards_words global=48 local=48 args: p=rand:i32:144 q=rand:i32:96 n=41

kernel void channels(global const uchar *in, global int *out) {
  int i = get_global_id(0);
  out[i] = in[3 * i + 2] * 256 + in[3 * i] * 7 - in[3 * i + 1];
}

kernel void shorts(global const short *in, global short *out) {
  global const short *p = in + 2 * get_global_id(0);
  out[get_global_id(0)] = p[0] / 2 - p[1];
}

// One of five elements is not read, the last one.
kernel void floats(global const float *in, global float *out) {
  size_t i = get_global_id(0);
  out[i] = in[5 * i + 1] - in[5 * i + 3] * in[5 * i] + in[5 * i + 2];
}

// Each load after a store reads what it wrote.
kernel void updated(global uchar *p) {
  int i = get_global_id(0);
  p[4 * i + 1] = p[4 * i] + p[4 * i + 1];
  p[4 * i + 2] = p[4 * i + 1] * 3 + p[4 * i + 2];
  p[4 * i + 3] = p[4 * i + 2] ^ p[4 * i + 1];
}

kernel void loop(global const uchar *p, global uchar *out, int n) {
  int i = get_global_id(0);
  for (int c = 0; c < n; c++)
    out[4 * i + c] = (p[4 * i + c] * p[4 * i + 3] + 5) >> 4;
}

// Further apart than the next work-item, before the first one, and in a branch.
kernel void apart(global const uchar *in, global int *out) {
  int i = get_global_id(0);
  int sum = in[4 * i + 40] - in[4 * i + 47] + in[4 * i + 37];
  if (in[4 * i + 38] > 100)
    sum += in[4 * i + 41] * in[4 * i + 43];
  out[i] = sum;
}

// The unsigned index wraps to 0 in the first work-item.
kernel void wrapping(global const uchar *in, global int *out, uint start) {
  uint i = get_global_id(0);
  out[i] = in[4 * i + 1 + start] + in[4 * i + 1] * 3 + in[4 * i + 2 + start] * 5;
}

// Neighbours are in the opposite order: one element of a pixel, two of them, or all, for some lanes.
kernel void backwards(global const uchar *in, global uchar *out, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  out[3 * (n - 1 - i) + 1] = in[3 * i + 2];
  out[3 * (n - 1 - i)] = in[3 * (n - 1 - i)] - in[3 * (n - 1 - i) + 2] * 2;
  if (in[3 * i] > 100)
    out[3 * (n - 1 - i) + 2] = in[3 * (n - 1 - i) + 1];
}

// Each reads what the store before it has written.
kernel void backwards_words(global int *p, global int *q, int n) {
  int i = get_global_id(0), at = n - 1 - i;
  q[2 * i] = at >= 0 ? p[3 * at + 1] - p[3 * at + 2] : 7;
  if (at >= 0) {
    p[3 * at] += p[3 * at + 1];
    p[3 * at + 2] = p[3 * at] * 3;
    q[2 * at + 1] = p[3 * at + 2] + i;
  }
}
