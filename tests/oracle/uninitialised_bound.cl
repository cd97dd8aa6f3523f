// The number of iterations is not set for some.
// EXPECT: uninitialised 9:3 7:3
// LAUNCH: kernel=bug global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
// LAUNCH: kernel=clean global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
kernel void bug(global const int *x, global int *y) {
  int i = get_global_id(0), n, sum = 0;
  if (x[i] < 6)
    n = x[i];
  for (int j = 0; j < n; ++j)
    sum += x[j];
  y[i] = sum;
}

kernel void clean(global const int *x, global int *y) {
  int i = get_global_id(0), n = 2, sum = 0;
  if (x[i] < 6)
    n = x[i];
  for (int j = 0; j < n; ++j)
    sum += x[j];
  y[i] = sum;
}
