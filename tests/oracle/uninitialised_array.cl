// One element of a private array is left out.
// EXPECT: uninitialised 9:3 9:10
// LAUNCH: kernel=bug global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
// LAUNCH: kernel=clean global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
kernel void bug(global const int *x, global int *y) {
  int i = get_global_id(0), v[4];
  for (int j = 1; j < 4; ++j)
    v[j] = x[j];
  y[i] = v[x[i] % 4];
}

kernel void clean(global const int *x, global int *y) {
  int i = get_global_id(0), v[4];
  for (int j = 1; j < 4; ++j)
    v[j] = x[j];
  y[i] = v[x[i] % 3 + 1];
}
