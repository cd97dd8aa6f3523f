// Three of four elements of a vector are set.
// EXPECT: uninitialised 9:3 8:3
// LAUNCH: kernel=bug global=8 local=8 args: x=perm:i32:8 y=zeros:i32x4:8
// LAUNCH: kernel=clean global=8 local=8 args: x=perm:i32:8 y=zeros:i32x4:8
kernel void bug(global const int *x, global int4 *y) {
  int i = get_global_id(0);
  int4 v;
  v.xyz = (int3)(x[i], 1, 2);
  y[i] = v * 2;
}

kernel void clean(global const int *x, global int4 *y) {
  int i = get_global_id(0);
  int4 v;
  v.xyz = (int3)(x[i], 1, 2);
  v = v * 2;
  y[i] = v.xyzx;
}
