// Bins of a histogram are increased without atomics.
// EXPECT: race 7:3 7:3
// LAUNCH: kernel=bug global=16 local=8 args: x=rand:i32:16:0:2 y=zeros:i32:4
// LAUNCH: kernel=clean global=16 local=8 args: x=rand:i32:16:0:2 y=zeros:i32:4
kernel void bug(global const int *x, global int *y) {
  int bin = x[get_global_id(0)];
  y[bin]++;
}

kernel void clean(global const int *x, global int *y) {
  int bin = x[get_global_id(0)];
  atomic_inc(&y[bin]);
}
