// A pointer that may be null.
// EXPECT: bounds 7:10
// LAUNCH: kernel=bug global=8 local=8 args: x=null y=zeros:i32:8
// LAUNCH: kernel=clean global=8 local=8 args: x=null y=zeros:i32:8
kernel void bug(global const int *x, global int *y) {
  int i = get_global_id(0);
  y[i] = x[i];
}

kernel void clean(global const int *x, global int *y) {
  int i = get_global_id(0);
  y[i] = x ? x[i] : -1;
}
