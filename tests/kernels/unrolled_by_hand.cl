// Work-items that read and write neighbouring elements in turns, as loops that were unrolled by hand.

// LAUNCH: kernel=scaled global=40 local=20 args: in=rand:f32:160 out=zeros:f32:160
kernel void scaled(global const float *in, global float *out) {
  int i = 4 * get_global_id(0);
  out[i] = in[i] * 2;
  out[i + 1] = in[i + 1] * 2;
  out[i + 2] = in[i + 2] * 2;
  out[i + 3] = in[i + 3] * 2;
}

// Each element is read after its neighbour was written: it is the one that was there before only in
// the first of three.
// LAUNCH: kernel=shifted global=40 local=20 args: x=rand:f32:160 out=zeros:f32:160
kernel void shifted(global float *x, global float *out) {
  int i = 3 * get_global_id(0);
  x[i + 1] = x[i] + 1;
  out[i] = x[i + 1];
  x[i + 2] = x[i + 1] + 1;
  out[i + 1] = x[i + 2];
  out[i + 2] = x[i];
}

// LAUNCH: kernel=unsigned_records global=40 local=20 args: in=rand:f32:200 out=zeros:f32:200
kernel void unsigned_records(global const float *in, global float *out) {
  uint i = get_global_id(0) * 5;
  float a = in[i], b = in[i + 1], c = in[i + 2], d = in[i + 3], e = in[i + 4];
  out[i + 4] = a;
  out[i + 3] = b - a;
  out[i + 2] = c - b;
  out[i + 1] = d - c;
  out[i] = e - d;
}

// What the first work-item subtracts from its number wraps.
// LAUNCH: kernel=unsigned_before global=40 local=20 args: in=rand:f32:160 out=zeros:f32:160
kernel void unsigned_before(global const float *in, global float *out) {
  uint i = get_global_id(0) * 4;
  float sum = in[i] + in[i + 1];
  if (i > 0) sum += in[i - 1] + in[i - 2];
  out[i] = sum;
  out[i + 1] = in[(i - 1) % 160];
  out[i + 2] = in[(i + 159) % 160];
}
