// A sum that starts with nothing.
// EXPECT: uninitialised 9:3 7:3
// LAUNCH: kernel=bug global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
// LAUNCH: kernel=clean global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
kernel void bug(global const int *x, global int *y) {
  int sum;
  for (int j = 0; j < 8; ++j)
    sum += x[j];
  y[get_global_id(0)] = sum;
}

kernel void clean(global const int *x, global int *y) {
  int sum = 0;
  for (int j = 0; j < 8; ++j)
    sum += x[j];
  y[get_global_id(0)] = sum;
}
