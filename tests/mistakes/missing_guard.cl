// FIRST: bounds 10:16
// REMEDY: as by if (i < n)
// LAUNCH: global=128 local=64 args: x=iota:f32:100 y=zeros:f32:100 n=100
// LAUNCH: global=128 local=64 options=-DMENDED args: x=iota:f32:100 y=zeros:f32:100 n=100
kernel void scale(global const float *x, global float *y, int n) {
  int i = get_global_id(0);
#ifdef MENDED
  if (i < n)
#endif
    y[i] = 2 * x[i];
}
