// FIRST: bounds 8:12
// REMEDY: as by if (i > 0)
// LAUNCH: global=64 local=32 args: x=iota:i32:64 y=zeros:i32:64
// LAUNCH: global=64 local=32 options=-DMENDED args: x=iota:i32:64 y=zeros:i32:64
kernel void difference(global const int *x, global int *y) {
  int i = get_global_id(0);
#ifndef MENDED
    y[i] = x[i - 1] - x[i];
#else
    y[i] = x[i] - x[max(i - 1, 0)];
#endif
}
