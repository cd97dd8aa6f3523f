// The last group is only partly active: work-items past the end do no work, but take part in
// both barriers.
// LAUNCH: global=48 local=16 args: x=rand:i32:41 y=zeros:i32:41 sums=zeros:i32:3 n=41
// LAUNCH: global=32 local=32 args: x=rand:i32:1 y=zeros:i32:1 sums=zeros:i32:1 n=1
kernel void partial(global const int *x, global int *y, global int *sums, int n) {
  local int tile[32];
  int g = get_global_id(0), l = get_local_id(0), count = get_local_size(0);
  bool active = g < n;
  tile[l] = 0;
  if (active)
    tile[l] = x[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  if (active) {
    for (int i = 0; i <= l; ++i)
      sum += tile[i];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (active)
    tile[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (active)
    y[g] = tile[l] - (l > 0 ? tile[l - 1] : 0) + sum * 2;
  if (l == 0) {
    int last = min(count, n - g) - 1;
    sums[get_group_id(0)] = tile[last];
  }
}
