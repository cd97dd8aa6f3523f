// Odd-even transposition sort until nothing changes: a do-while loop on a flag in local memory.
// LAUNCH: global=24 local=12 args: keys=rand:u8:24 rounds=zeros:i32:2
// LAUNCH: global=1 local=1 args: keys=rand:u8:1 rounds=zeros:i32:1
kernel void sort(global uchar *keys, global int *rounds) {
  local uchar tile[12];
  local int swapped;
  int l = get_local_id(0), n = get_local_size(0), count = 0;
  tile[l] = keys[get_global_id(0)];
  int again;
  do {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
      swapped = 0;
    for (int phase = 0; phase < 2; ++phase) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if ((l & 1) == phase && l + 1 < n && tile[l] > tile[l + 1]) {
        uchar t = tile[l];
        tile[l] = tile[l + 1];
        tile[l + 1] = t;
        atomic_inc(&swapped);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    again = swapped;
    ++count;
  } while (again != 0);
  keys[get_global_id(0)] = tile[l];
  if (l == 0)
    rounds[get_group_id(0)] = count;
}
