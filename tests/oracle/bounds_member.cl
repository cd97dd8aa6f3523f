// A member of a structure behind the end of the array.
// EXPECT: bounds 12:19
// LAUNCH: kernel=bug global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
// LAUNCH: kernel=clean global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
typedef struct {
  int first;
  int second;
} pair_t;
kernel void bug(global const int *x, global int *y) {
  int i = get_global_id(0);
  global const pair_t *pairs = (global const pair_t *)x;
  y[i] = pairs[i].second;
}

kernel void clean(global const int *x, global int *y) {
  int i = get_global_id(0);
  global const pair_t *pairs = (global const pair_t *)x;
  y[i] = pairs[i / 2].second;
}
