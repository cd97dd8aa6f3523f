// FIRST: race 8:11 8:3
// REMEDY: write the results to another array
// LAUNCH: global=64 local=16 args: x=iota:f32:64 y=zeros:f32:64
// LAUNCH: global=64 local=16 options=-DMENDED args: x=iota:f32:64 y=zeros:f32:64
kernel void blur(global float *x, global float *y) {
  int i = get_global_id(0), n = get_global_size(0);
#ifndef MENDED
  x[i] = (x[max(i - 1, 0)] + x[i] + x[min(i + 1, n - 1)]) / 3;
#else
  y[i] = (x[max(i - 1, 0)] + x[i] + x[min(i + 1, n - 1)]) / 3;
#endif
}
