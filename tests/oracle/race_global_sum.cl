// All work-items add to one number.
// EXPECT: race 6:3 6:3
// LAUNCH: kernel=bug global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:1
// LAUNCH: kernel=clean global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:1
kernel void bug(global const int *x, global int *y) {
  y[0] += x[get_global_id(0)];
}

kernel void clean(global const int *x, global int *y) {
  atomic_add(&y[0], x[get_global_id(0)]);
}
