// A long in local memory between its places.
// EXPECT: alignment 7:3
// LAUNCH: kernel=bug global=1 local=1 args: x=perm:i32:8 y=zeros:i32:4
// LAUNCH: kernel=clean global=1 local=1 args: x=perm:i32:8 y=zeros:i32:4
kernel void bug(global const int *x, global int *y) {
  local int tile[8];
  *(local long *)(tile + 1) = x[0];
  y[0] = x[1];
}

kernel void clean(global const int *x, global int *y) {
  local int tile[8];
  tile[1] = x[0];
  y[0] = tile[1];
}
