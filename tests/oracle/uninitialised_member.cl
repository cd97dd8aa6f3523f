// A member of a structure is not set.
// EXPECT: uninitialised 13:3 11:3
// LAUNCH: kernel=bug global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
// LAUNCH: kernel=clean global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
typedef struct {
  int first;
  int second;
} pair_t;
kernel void bug(global const int *x, global int *y) {
  pair_t pair, copy;
  pair.first = x[get_global_id(0)];
  copy = pair;
  y[get_global_id(0)] = copy.second;
}

kernel void clean(global const int *x, global int *y) {
  pair_t pair, copy;
  pair.first = x[get_global_id(0)];
  copy = pair;
  y[get_global_id(0)] = copy.first;
}
