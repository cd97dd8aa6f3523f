// Kept and other elements go to different places of one array: one store, at one of two indices.
// LAUNCH: global=48 local=16 args: x=rand:i32:48:-50:50 at=perm:i32:48 y=zeros:i32:96
// LAUNCH: global=37 local=37 args: x=rand:i32:37:-50:50 at=perm:i32:37 y=zeros:i32:74
kernel void partition(global const int *x, global const int *at, global int *y) {
  int g = get_global_id(0), n = get_global_size(0);
  if (x[g] > 0)
    y[at[g]] = x[g];
  else
    y[n + at[g]] = -x[g];
}
