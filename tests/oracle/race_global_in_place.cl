// A stencil in place: neighbours are read while they are written.
// EXPECT: race 7:22 8:3
// LAUNCH: kernel=bug global=16 local=8 args: x=perm:i32:16 y=perm:i32:16
// LAUNCH: kernel=clean global=16 local=8 args: x=perm:i32:16 y=perm:i32:16
kernel void bug(global const int *x, global int *y) {
  int i = get_global_id(0);
  int left = i > 0 ? y[i - 1] : 0;
  y[i] = left + x[i];
}

kernel void clean(global const int *x, global int *y) {
  int i = get_global_id(0);
  int left = i > 0 ? x[i - 1] : 0;
  y[i] = left + x[i];
}
