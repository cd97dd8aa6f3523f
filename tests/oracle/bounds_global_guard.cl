// More work-items than elements, and no guard.
// EXPECT: bounds 8:10
// EXPECT: bounds 8:3
// LAUNCH: kernel=bug global=16 local=8 args: x=perm:i32:13 y=zeros:i32:13 n=13
// LAUNCH: kernel=clean global=16 local=8 args: x=perm:i32:13 y=zeros:i32:13 n=13
kernel void bug(global const int *x, global int *y, int n) {
  int i = get_global_id(0);
  y[i] = x[i] * 2;
}

kernel void clean(global const int *x, global int *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * 2;
}
