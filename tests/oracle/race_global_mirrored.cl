// Two work-items write the same element, one of them through a copy of the pointer.
// EXPECT: race 8:3 9:3
// LAUNCH: kernel=bug global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
// LAUNCH: kernel=clean global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  int i = get_global_id(0);
  global int *out = y;
  out[i] = x[i];
  y[15 - i] = 1;
}

kernel void clean(global const int *x, global int *y) {
  int i = get_global_id(0);
  global int *out = y;
  out[i] = x[i];
  y[i] += 1;
}
