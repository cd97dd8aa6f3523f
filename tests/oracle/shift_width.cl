// A shift by the width of the type: OpenCL C takes it as 0, so a warning.
// EXPECT: shift warning 7:10
// LAUNCH: kernel=bug global=8 local=8 args: x=iota:i32:8:28 y=zeros:i32:8
// LAUNCH: kernel=clean global=8 local=8 args: x=iota:i32:8:28 y=zeros:i32:8
kernel void bug(global const int *x, global int *y) {
  int i = get_global_id(0);
  y[i] = 1 << x[i];
}

kernel void clean(global const int *x, global int *y) {
  int i = get_global_id(0);
  y[i] = 1 << (x[i] & 31);
}
