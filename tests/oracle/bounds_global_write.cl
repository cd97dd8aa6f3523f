// The first work-item writes in front of the array.
// EXPECT: bounds 7:3
// LAUNCH: kernel=bug global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
// LAUNCH: kernel=clean global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  int i = get_global_id(0);
  y[i - 1] = x[i];
}

kernel void clean(global const int *x, global int *y) {
  int i = get_global_id(0);
  if (i > 0)
    y[i - 1] = x[i];
}
