// Each work-item writes a row: of a product, in place, in two arrays, from an argument on, under a
// guard, in groups of two dimensions, with few elements.
// LAUNCH: global=64 local=32 kernel=product args: a=rand:i32:704 b=rand:i32:407 out=zeros:i32:2368 m=37 c=11
// LAUNCH: global=64 local=32 kernel=product args: a=rand:i32:704 b=rand:i32:77 out=zeros:i32:448 m=7 c=11
// LAUNCH: global=64 local=32 kernel=product args: a=rand:i32:704 b=rand:i32:9 out=rand:i32:64 m=0 c=11
// LAUNCH: global=16x6 local=8x2 kernel=planes args: in=rand:i32:4896 out=zeros:i32:4896 more=zeros:i32:4896 m=51
// LAUNCH: global=16x6 local=8x2 kernel=planes args: in=rand:i32:2016 out=zeros:i32:2016 more=zeros:i32:2016 m=21
// LAUNCH: global=64 local=16 kernel=guarded args: in=rand:i32:4096 out=zeros:i32:4096 first=5 m=59 n=41
// LAUNCH: global=64 local=16 kernel=guarded args: in=rand:i32:4096 out=zeros:i32:4096 first=40 m=40 n=41
// LAUNCH: global=64 local=16 kernel=outer args: in=rand:i32:64 at=rand:i32:40 out=zeros:i32:2560 m=40
kernel void product(global const int *a, global const int *b, global int *out, int m, int c) {
  int i = get_global_id(0);
  for (int j = 0; j < m; j++) {
    int sum = 0;
    for (int k = 0; k < c; k++) sum += a[i * c + k] * b[k * m + j];
    out[i * m + j] = sum;
  }
}

kernel void planes(global const int *in, global int *out, global int *more, int m) {
  size_t x = get_global_id(0), y = get_global_id(1);
  size_t row = (y * get_global_size(0) + x) * m;
  for (int j = 0; j < m; j++) {
    int v = in[row + j];
    out[row + j] = v * (int)x + j;
    if (v > (int)y) more[row + j] = v - in[j];
  }
}

kernel void guarded(global const int *in, global int *out, int first, int m, int n) {
  int i = get_global_id(0);
  if (i % 3 == 1 || i >= n) return;
  for (int j = first; j < m; j++) if (in[i * 64 + j] != j) out[i * 64 + j] += in[i * 64 + j] / (j + 1);
}

// What is the same for a row is read before it.
kernel void outer(global const int *in, global const int *at, global int *out, int m) {
  int i = get_global_id(0), v = in[i];
  for (int j = 0; j < m; j++) if (v > at[j]) out[i * m + j] = (v - at[j]) * (v - at[j]);
}
