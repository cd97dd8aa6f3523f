// A barrier inside functions that the kernel calls, also in a loop; the functions return values
// and take pointers to local memory.
// LAUNCH: global=32 local=16 args: x=rand:i32:32:-50:50 y=zeros:i32:32
// LAUNCH: global=2 local=1 args: x=rand:i32:2:-50:50 y=zeros:i32:2
int exchange(local int *tile, int v, int distance) {
  int l = get_local_id(0), n = get_local_size(0);
  tile[l] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  int other = tile[(l + distance) % n];
  barrier(CLK_LOCAL_MEM_FENCE);
  return other;
}

int sum_of_group(local int *tile, int v) {
  int sum = 0;
  for (int i = 0; i < (int)get_local_size(0); ++i)
    sum += exchange(tile, v, i);
  return sum;
}

kernel void call(global const int *x, global int *y) {
  local int tile[16];
  int v = x[get_global_id(0)];
  int sum = sum_of_group(tile, v);
  y[get_global_id(0)] = sum * 100 + exchange(tile, v, 1);
}
