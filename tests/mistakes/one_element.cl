// FIRST: race 9:3 9:3
// REMEDY: give each one its own, or let one of them write
// LAUNCH: global=64 local=64 args: x=iota:i32:64 y=zeros:i32:1
// LAUNCH: global=64 local=64 options=-DMENDED args: x=iota:i32:64 y=zeros:i32:1
kernel void first(global const int *x, global int *y) {
#ifdef MENDED
  if (get_global_id(0) == 0)
#endif
  y[0] = x[get_global_id(0)];
}
