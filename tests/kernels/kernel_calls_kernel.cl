// A kernel called as a function has its local variables, and so has one that calls it twice.
// LAUNCH: kernel=turn global=16 local=8 args: x=rand:i32:16 y=zeros:i32:16
// LAUNCH: kernel=turn_twice global=16 local=8 args: x=rand:i32:16 y=zeros:i32:16

kernel void turn(global const int *x, global int *y) {
  local int tile[8];
  local int last;
  size_t i = get_local_id(0), start = get_group_id(0) * 8;
  tile[i] = x[start + i];
  if (i == 7)
    last = tile[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[start + i] = tile[7 - i] - last;
}

void on(global const int *x, global int *y) { turn(x, y); }

kernel void turn_twice(global const int *x, global int *y) {
  local int sum[2];
  if (get_local_id(0) == 0)
    sum[1] = x[get_global_id(0)];
  on(x, y);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  on(y, y);
  y[get_global_id(0)] += sum[1];
}
