// Pairs of work-items share an element of an array of structures.
// EXPECT: race 13:3 13:3
// EXPECT: race warning 14:3 14:3
// LAUNCH: kernel=bug global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
// LAUNCH: kernel=clean global=8 local=8 args: x=perm:i32:8 y=zeros:i32:8
typedef struct {
  int first;
  int second;
} pair_t;
kernel void bug(global const int *x, global int *y) {
  local pair_t pairs[8];
  int l = get_local_id(0);
  pairs[l / 2].first = x[l];
  pairs[l / 2].second = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  y[l] = pairs[l / 2].first;
}

kernel void clean(global const int *x, global int *y) {
  local pair_t pairs[8];
  int l = get_local_id(0);
  if (l % 2)
    pairs[l / 2].first = x[l];
  else
    pairs[l / 2].second = x[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[l] = pairs[l / 2].first + pairs[l / 2].second;
}
