// FIRST: bounds 10:10
// REMEDY: 0 - 1 is -1, and becomes 4294967295
// LAUNCH: global=8 local=8 args: x=iota:i32:8 y=zeros:i32:8
// LAUNCH: global=8 local=8 options=-DMENDED args: x=iota:i32:8 y=zeros:i32:8
kernel void shift(global const int *x, global int *y) {
  uint i = get_global_id(0);
#ifdef MENDED
  if (i > 0)
#endif
  y[i] = x[i - 1];
}
