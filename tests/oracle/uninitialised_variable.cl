// A variable gets its value on one path only.
// EXPECT: uninitialised 9:3 7:3
// LAUNCH: kernel=bug global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
// LAUNCH: kernel=clean global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
kernel void bug(global const int *x, global int *y) {
  int i = get_global_id(0), v;
  if (x[i] > 3)
    v = x[i];
  y[i] = v;
}

kernel void clean(global const int *x, global int *y) {
  int i = get_global_id(0), v;
  if (x[i] > 3)
    v = x[i];
  y[i] = x[i] > 3 ? v : 0;
}
