// The smallest int divided by -1.
// EXPECT: division 7:10
// LAUNCH: kernel=bug global=4 local=4 args: x=values:i32:-1,1,2,-2 y=zeros:i32:4
// LAUNCH: kernel=clean global=4 local=4 args: x=values:i32:-1,1,2,-2 y=zeros:i32:4
kernel void bug(global const int *x, global int *y) {
  int i = get_global_id(0);
  y[i] = INT_MIN / x[i];
}

kernel void clean(global const int *x, global int *y) {
  int i = get_global_id(0);
  y[i] = -INT_MAX / x[i];
}
