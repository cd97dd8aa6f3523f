// A private array of four has no fifth element.
// EXPECT: bounds 7:10
// LAUNCH: kernel=bug global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
// LAUNCH: kernel=clean global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
kernel void bug(global const int *x, global int *y) {
  int i = get_global_id(0), v[4] = {1, 2, 3, 4};
  y[i] = v[x[i] % 5];
}

kernel void clean(global const int *x, global int *y) {
  int i = get_global_id(0), v[4] = {1, 2, 3, 4};
  y[i] = v[x[i] % 4];
}
