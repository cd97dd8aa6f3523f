// An int at an odd address.
// EXPECT: alignment 8:10
// LAUNCH: kernel=bug global=4 local=4 args: x=perm:i32:8 y=zeros:i32:4
// LAUNCH: kernel=clean global=4 local=4 args: x=perm:i32:8 y=zeros:i32:4
kernel void bug(global const int *x, global int *y) {
  int i = get_global_id(0);
  global const char *bytes = (global const char *)x;
  y[i] = *(global const int *)(bytes + 4 * i + 1);
}

kernel void clean(global const int *x, global int *y) {
  int i = get_global_id(0);
  global const char *bytes = (global const char *)x;
  y[i] = *(global const int *)(bytes + 4 * i + 4);
}
