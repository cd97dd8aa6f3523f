// A value that nothing has set is printed.
// EXPECT: uninitialised 9:3 7:3
// LAUNCH: kernel=bug global=1 local=1 args: x=perm:i32:8 y=zeros:i32:8
// LAUNCH: kernel=clean global=1 local=1 args: x=perm:i32:8 y=zeros:i32:8
kernel void bug(global const int *x, global int *y) {
  int v;
  if (x[0] > 100)
    v = 1;
  printf("%d\n", v);
}

kernel void clean(global const int *x, global int *y) {
  int v;
  if (x[0] < 100)
    v = 1;
  printf("%d\n", v);
}
