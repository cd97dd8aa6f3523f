// A switch without a default.
// EXPECT: uninitialised 15:3 7:11
// LAUNCH: kernel=bug global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
// LAUNCH: kernel=clean global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
kernel void bug(global const int *x, global int *y) {
  int v;
  switch (x[get_global_id(0)] % 3) {
  case 0:
    v = 5;
    break;
  case 1:
    v = 6;
    break;
  }
  y[get_global_id(0)] = v;
}

kernel void clean(global const int *x, global int *y) {
  int v;
  switch (x[get_global_id(0)] % 3) {
  case 0:
    v = 5;
    break;
  case 1:
    v = 6;
    break;
  default:
    v = 7;
  }
  y[get_global_id(0)] = v;
}
