// Several work-items write the same value: a race by the letter, so a warning.
// EXPECT: race warning 7:5 7:5
// LAUNCH: kernel=bug global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
// LAUNCH: kernel=clean global=16 local=8 args: x=rand:i32:16:1:9 y=zeros:i32:16
kernel void bug(global const int *x, global int *y) {
  if (x[get_global_id(0)] > 0)
    y[0] = 1;
}

kernel void clean(global const int *x, global int *y) {
  if (x[get_global_id(0)] > 0)
    atomic_or(&y[0], 1);
}
