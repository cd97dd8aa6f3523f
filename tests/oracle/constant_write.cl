// A constant buffer is written through a number.
// EXPECT: constant 7:3
// LAUNCH: kernel=bug global=1 local=1 args: x=perm:i32:8 y=zeros:i32:4
// LAUNCH: kernel=clean global=1 local=1 args: x=perm:i32:8 y=zeros:i32:4
kernel void bug(constant int *x, global int *y) {
  global int *p = (global int *)(size_t)x;
  p[1] = 5;
  y[0] = x[1];
}

kernel void clean(constant int *x, global int *y) {
  global int *p = (global int *)(size_t)y;
  p[1] = 5;
  y[0] = x[1];
}
