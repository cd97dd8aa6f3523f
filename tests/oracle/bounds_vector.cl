// The last vector of four goes beyond the end.
// EXPECT: bounds 6:12
// LAUNCH: kernel=bug global=4 local=4 args: x=perm:i32:15 y=zeros:i32:4
// LAUNCH: kernel=clean global=4 local=4 args: x=perm:i32:15 y=zeros:i32:4
kernel void bug(global const int *x, global int *y) {
  int4 v = vload4(get_global_id(0), x);
  y[get_global_id(0)] = v.x + v.y + v.z + v.w;
}

kernel void clean(global const int *x, global int *y) {
  int3 v = vload3(get_global_id(0), x);
  y[get_global_id(0)] = v.x + v.y + v.z;
}
