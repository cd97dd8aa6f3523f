// The remainder by zero, in a vector.
// EXPECT: division 7:10
// LAUNCH: kernel=bug global=8 local=8 args: x=perm:i32:8 y=zeros:i32x2:8
// LAUNCH: kernel=clean global=8 local=8 args: x=perm:i32:8 y=zeros:i32x2:8
kernel void bug(global const int *x, global int2 *y) {
  int i = get_global_id(0);
  y[i] = (int2)(100) % (int2)(x[i], 7);
}

kernel void clean(global const int *x, global int2 *y) {
  int i = get_global_id(0);
  y[i] = (int2)(100) % (int2)(x[i] + 1, 7);
}
