// A pointer that points nowhere on one path.
// EXPECT: uninitialised 10:10 8:3
// LAUNCH: kernel=bug global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
// LAUNCH: kernel=clean global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
kernel void bug(global const int *x, global int *y) {
  int i = get_global_id(0);
  global const int *p;
  if (i > 2)
    p = x + i;
  y[i] = *p;
}

kernel void clean(global const int *x, global int *y) {
  int i = get_global_id(0);
  global const int *p = x;
  if (i > 2)
    p = x + i;
  y[i] = *p;
}
