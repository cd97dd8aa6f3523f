// A function leaves its result unset on one path.
// EXPECT: uninitialised 16:3 16:10
// LAUNCH: kernel=bug global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
// LAUNCH: kernel=clean global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
bool root_of(int square, int *root) {
  for (int r = 0; r * r <= square; ++r)
    if (r * r == square) {
      *root = r;
      return true;
    }
  return false;
}
kernel void bug(global const int *x, global int *y) {
  int root, i = get_global_id(0);
  root_of(x[i], &root);
  y[i] = root;
}

kernel void clean(global const int *x, global int *y) {
  int root, i = get_global_id(0);
  if (root_of(x[i], &root))
    y[i] = root;
}
