// A table in constant memory is written through a number.
// EXPECT: constant 8:3
// LAUNCH: kernel=bug global=1 local=1 args: x=perm:i32:8 y=zeros:i32:4
// LAUNCH: kernel=clean global=1 local=1 args: x=perm:i32:8 y=zeros:i32:4
constant int table[6] = {1, 1, 2, 3, 5, 8};
kernel void bug(global const int *x, global int *y) {
  global int *p = (global int *)(size_t)&table[1];
  *p = x[0];
  y[0] = table[1];
}

kernel void clean(global const int *x, global int *y) {
  constant int *p = (constant int *)(size_t)&table[1];
  y[0] = *p;
}
