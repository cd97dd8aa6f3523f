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
