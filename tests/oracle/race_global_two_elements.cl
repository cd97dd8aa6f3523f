// Each work-item writes its own element and the next one.
// EXPECT: race 7:3 8:3
// LAUNCH: kernel=bug global=16 local=8 args: x=perm:i32:16 y=zeros:i32:17
// LAUNCH: kernel=clean global=16 local=8 args: x=perm:i32:16 y=zeros:i32:17
kernel void bug(global const int *x, global int *y) {
  int i = get_global_id(0);
  y[i] = x[i];
  y[i + 1] = -x[i];
}

kernel void clean(global const int *x, global int *y) {
  int i = get_global_id(0);
  y[i] = x[i];
  if (i == 15)
    y[i + 1] = -x[i];
}
