// Loops over the outputs of a work-item, which may run as work-items of their own.
// LAUNCH: global=24 local=8 kernel=block args: in=rand:i32:96 out=zeros:i32:96 n=90
// LAUNCH: global=16 local=16 offset=2 kernel=block args: in=rand:i32:96 out=zeros:i32:96 n=90
// LAUNCH: global=24 local=8 kernel=numbers args: in=rand:i32:120 out=zeros:i32:120
// LAUNCH: global=8x6 local=4x3 kernel=rows args: in=rand:i32:192 out=zeros:i32:192 w=32 h=5
// LAUNCH: global=24 local=8 kernel=steps args: in=rand:i32:192 out=zeros:i32:192
// LAUNCH: global=24 local=8 kernel=pairs args: in=rand:i32:192 out=zeros:i32:192
// LAUNCH: global=24 local=8 kernel=inner args: in=rand:i32:72 out=zeros:i32:72 n=5
// LAUNCH: global=24 local=8 kernel=exchange args: out=rand:i32:192 width=16 stride=32 distance=16
// LAUNCH: global=24 local=8 kernel=exchange args: out=rand:i32:192 width=3 stride=6 distance=3
// LAUNCH: global=1 local=1 kernel=exchange args: out=rand:i32:192 width=2 stride=1 distance=16
kernel void block(global const int *in, global int *out, int n) {
  for (int i = 4 * get_global_id(0), end = i + 4; i < end; i++)
    if (i < n) out[i] = in[i > 0 ? i - 1 : 0] + 2 * in[min(i + 1, n - 1)] + i;
}

kernel void numbers(global const int *in, global int *out) {
  size_t first = get_global_id(0) * 5;
  for (int k = 0; k < 5; k++) out[first + k] = 3 * in[first + k];
}

kernel void rows(global const int *in, global int *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (y < h)
    for (int k = 0; k < 4; k++) out[y * w + 4 * x + k] = in[y * w + 4 * x + k] + y;
}

// Steps of two, of which the last one is not whole.
kernel void steps(global const int *in, global int *out) {
  int x = get_global_id(0);
  for (int k = 0; k < 7; k += 2) out[8 * x + k] = in[8 * x + k + 1];
}

// An iteration accesses two elements of its own.
kernel void pairs(global const int *in, global int *out) {
  int x = get_global_id(0);
  for (int k = 0; k < 4; k++) {
    out[8 * x + 2 * k + 1] = in[8 * x + 2 * k];
    out[8 * x + 2 * k] = out[8 * x + 2 * k + 1] + 1;
  }
}

kernel void inner(global const int *in, global int *out, int n) {
  int x = get_global_id(0);
  for (int k = 0; k < 3; k++) {
    int sum = 0;
    for (int j = 0; j < n; j++) sum += in[j] * (3 * x + k);
    out[3 * x + k] = sum;
  }
}

// Outputs in rows, each next to its partner's: rows may be shorter than a work-item, and overlap.
kernel void exchange(global int *out, int width, int stride, int distance) {
  for (int i = 4 * get_global_id(0), end = i + 4; i < end; i++) {
    int a = i / width * stride + i % width, b = a + distance;
    int sum = out[a] + i;
    out[a] = out[b];
    out[b] = sum;
  }
}
