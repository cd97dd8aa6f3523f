// Conditions of barriers made from group ids, sizes, arguments and constant memory, joined by && ||
// and ?:, and a loop whose bounds are such expressions.
// LAUNCH: global=64 local=8 args: x=rand:i32:64 y=zeros:i32:64 table=values:i32:2,0,3,1,0,0,4,1 n=3
kernel void conditions(global const int *x, global int *y, constant int *table, int n) {
  local int tile[8];
  int l = get_local_id(0), v = x[get_global_id(0)];
  int group = get_group_id(0), from = group & 1 ? 1 : 0;
  tile[l] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  if ((group > 1 && n != 0) || (table[group] == 0 && n > 2)) {
    v += tile[7 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = from; i < (n > 2 ? table[group] : n); i += from + 1) {
    v ^= tile[(l + i) & 7];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] += v;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  y[get_global_id(0)] = v;
}
