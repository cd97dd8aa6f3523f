// Loops whose trip counts differ between work-items, with break and continue, between barriers.
// LAUNCH: global=48 local=16 args: x=rand:u32:48:1:100 y=zeros:u32:48
// LAUNCH: global=7 local=7 args: x=rand:u32:7:1:1000 y=zeros:u32:7
kernel void collatz(global const uint *x, global uint *y) {
  local uint steps[16];
  uint l = get_local_id(0), n = get_local_size(0);
  uint v = x[get_global_id(0)], count = 0;
  while (v != 1) {
    v = v & 1 ? 3 * v + 1 : v / 2;
    if (++count > 60)
      break;
  }
  steps[l] = count;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint larger = 0;
  for (uint i = 0; i < n; ++i) {
    if (i == l || steps[i] < count)
      continue;
    larger += steps[i] - count;
    if (larger > 100)
      break;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  steps[l] = larger;
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_global_id(0)] = count * 1000 + steps[(l + 1) % n];
}
