// Loops over the outputs of a work-item whose iterations are not independent, or know their number.
// LAUNCH: global=24 local=8 kernel=sums args: out=rand:i32:100
// LAUNCH: global=24 local=8 kernel=next args: out=rand:i32:100
// LAUNCH: global=24 local=8 kernel=overlap args: out=zeros:i32:100
// LAUNCH: global=24 local=8 kernel=number args: out=zeros:i32:100
// LAUNCH: global=24 local=8 kernel=guarded args: out=zeros:i32:100
// LAUNCH: global=24 local=8 kernel=carried args: out=rand:i32:100
// LAUNCH: global=24 local=8 kernel=own args: out=rand:i32:100
// LAUNCH: global=24 local=8 kernel=written args: out=rand:i32:100 step=1
// LAUNCH: global=1 local=1 kernel=inner args: in=rand:i32:64 out=zeros:i32:64 stride=1
kernel void sums(global int *out) {
  int x = get_global_id(0);
  for (int k = 1; k < 4; k++) out[4 * x + k] += out[4 * x + k - 1];
}

kernel void next(global int *out) {
  int x = get_global_id(0);
  for (int k = 0; k < 3; k++) out[4 * x + k] = out[4 * x + k + 1];
}

// The second store of an iteration is replaced by the next one.
kernel void overlap(global int *out) {
  int x = get_global_id(0);
  for (int k = 0; k < 3; k++) {
    out[4 * x + k + 1] = 1;
    out[4 * x + k] = 2;
  }
}

kernel void number(global int *out) {
  int x = get_global_id(0);
  for (int k = 0; k < 4; k++) out[4 * x + k] = k;
}

kernel void guarded(global int *out) {
  int x = get_global_id(0);
  if (x < 13)
    for (int k = 0; k < 4; k++) out[4 * x + k] = 1;
}

kernel void carried(global int *out) {
  int x = get_global_id(0), sum = 0;
  for (int k = 0; k < 4; k++) out[4 * x + k] = sum += out[4 * x + k];
}

kernel void own(global int *out) {
  int x = get_global_id(0), last[2] = {0, 0};
  for (int k = 0; k < 4; k++) {
    int old = last[out[4 * x + k] & 1];
    last[out[4 * x + k] & 1] = out[4 * x + k];
    out[4 * x + k] = old;
  }
}

// What an iteration writes may be what the next one reads.
kernel void written(global int *out, int step) {
  int x = get_global_id(0);
  for (int k = 0; k < 3; k++) {
    out[4 * x + k] = x;
    out[4 * x + k + step] += 1;
  }
}

// With a small stride, an iteration adds to what the next one writes.
kernel void inner(global const int *in, global int *out, int stride) {
  int x = get_global_id(0);
  for (int k = 0; k < 4; k++)
    for (int j = 0; j < 5; j++) {
      int at = 4 * x + k + j * stride;
      out[at] = out[at] * 3 + in[4 * x + k] + j;
    }
}
