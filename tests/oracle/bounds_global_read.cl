// The last work-item reads its right neighbour.
// EXPECT: bounds 7:10
// LAUNCH: kernel=bug global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
// LAUNCH: kernel=clean global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  int i = get_global_id(0);
  y[i] = x[i + 1] - x[i];
}

kernel void clean(global const int *x, global int *y) {
  int i = get_global_id(0);
  y[i] = i < 15 ? x[i + 1] - x[i] : 0;
}
