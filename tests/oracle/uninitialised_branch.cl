// A flag that is never cleared decides.
// EXPECT: uninitialised 11:3 8:3
// LAUNCH: kernel=bug global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
// LAUNCH: kernel=clean global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
kernel void bug(global const int *x, global int *y) {
  int i = get_global_id(0);
  bool found;
  for (int j = 0; j < 4; ++j)
    if (x[j] == i)
      found = true;
  if (found)
    y[i] = 1;
}

kernel void clean(global const int *x, global int *y) {
  int i = get_global_id(0);
  bool found = false;
  for (int j = 0; j < 4; ++j)
    if (x[j] == i)
      found = true;
  if (found)
    y[i] = 1;
}
