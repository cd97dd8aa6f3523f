// A divisor that is zero for some.
// EXPECT: division 7:10
// LAUNCH: kernel=bug global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
// LAUNCH: kernel=clean global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
kernel void bug(global const int *x, global int *y) {
  int i = get_global_id(0);
  y[i] = 100 / x[i];
}

kernel void clean(global const int *x, global int *y) {
  int i = get_global_id(0);
  y[i] = x[i] ? 100 / x[i] : 0;
}
