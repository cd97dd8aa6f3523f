// Loops in steps of the launch: in one and two dimensions, with a bound that ends within a group,
// with a neighbour that is clamped, with a sum that the loop carries, and with none to do.
// LAUNCH: global=64 local=32 kernel=neighbours args: in=rand:i32:300 out=zeros:i32:300 n=300
// LAUNCH: global=64 local=32 kernel=neighbours args: in=rand:i32:300 out=zeros:i32:300 n=40
// LAUNCH: global=32 local=16 offset=3 kernel=neighbours args: in=rand:i32:300 out=zeros:i32:300 n=200
// LAUNCH: global=64 local=32 kernel=sums args: in=rand:i32:300 out=zeros:i32:64 n=300
// LAUNCH: global=16x4 local=8x2 kernel=image args: in=rand:i32:999 out=zeros:i32:999 w=37 h=27
// LAUNCH: global=16x4 local=8x2 kernel=guarded args: in=rand:i32:999 out=zeros:i32:999 w=37 h=27 last=10
// LAUNCH: global=64 local=32 kernel=divided args: in=rand:i32:300 out=zeros:i32:300 n=299 width=100
// LAUNCH: global=64 local=32 kernel=divided args: in=rand:i32:300 out=zeros:i32:300 n=300 width=17
kernel void neighbours(global const int *in, global int *out, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    out[i] = in[i > 0 ? i - 1 : 0] + 2 * in[min(i + 1, n - 1)];
}

kernel void sums(global const int *in, global int *out, int n) {
  int sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += in[i];
  out[get_global_id(0)] = sum;
}

kernel void image(global const int *in, global int *out, int w, int h) {
  for (int y = get_global_id(1); y < h; y += get_global_size(1))
    for (int x = get_global_id(0); x < w; x += get_global_size(0))
      if (x > 0) out[y * w + x] = in[y * w + x - 1] + x;
}

// A guard that some work-items of a group pass, around both loops.
kernel void guarded(global const int *in, global int *out, int w, int h, int last) {
  int first = get_global_id(0);
  if (first > last) return;
  for (int y = get_global_id(1); y < h; y += get_global_size(1))
    for (int x = first; x < w; x += get_global_size(0)) out[y * w + x] += in[y * w + x] + first;
}

// A column and a row of each iteration.
kernel void divided(global const int *in, global int *out, int n, int width) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    int column = i % width, row = i / width;
    out[i] = in[row * width + (column > 0 ? column - 1 : 0)] + row;
  }
}
