// Vectors of four are stored one element apart.
// EXPECT: race 7:3 7:3
// LAUNCH: kernel=bug global=8 local=8 args: x=perm:i32:8 y=zeros:i32:32
// LAUNCH: kernel=clean global=8 local=8 args: x=perm:i32:8 y=zeros:i32:32
kernel void bug(global const int *x, global int *y) {
  int i = get_global_id(0);
  vstore4((int4)(x[i], 1, 2, 3), 0, y + i);
}

kernel void clean(global const int *x, global int *y) {
  int i = get_global_id(0);
  vstore4((int4)(x[i], 1, 2, 3), i, y);
}
