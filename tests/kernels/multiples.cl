// Guards that only ids pass which are multiples of a number, known or not, of any sign and width.
// LAUNCH: kernel=neighbours global=192 local=64 args: x=rand:i32:192 y=zeros:i32:3
// LAUNCH: kernel=neighbours global=105 local=35 args: x=rand:i32:105 y=zeros:i32:3
// LAUNCH: kernel=unsigned_neighbours global=96 local=48 args: x=rand:u32:96 y=zeros:u32:2
// LAUNCH: kernel=guarded global=40 local=20 args: x=rand:i32:40 step=3 n=17
// LAUNCH: kernel=guarded global=40 local=20 args: x=rand:i32:40 step=-4 n=17
// LAUNCH: kernel=guarded global=40 local=20 args: x=rand:i32:40 step=-2147483648 n=20
// LAUNCH: kernel=guarded global=40 local=20 args: x=rand:i32:40 step=1 n=0
// LAUNCH: kernel=wide global=40 local=20 args: x=rand:i32:40 step=7
// LAUNCH: kernel=wide global=40 local=20 args: x=rand:i32:40 step=18446744073709551615
// LAUNCH: kernel=rests global=66 local=33 args: y=zeros:i32:66 p=5 q=2
kernel void neighbours(global const int *x, global int *y) {
  local int sums[64];
  int l = get_local_id(0), size = get_local_size(0);
  sums[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < size; step *= 2) {
    if (l % (2 * step) == 0 && l + step < size)
      sums[l] += sums[l + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    y[get_group_id(0)] = sums[0];
}

kernel void unsigned_neighbours(global const uint *x, global uint *y) {
  local uint sums[64];
  uint l = get_local_id(0), size = get_local_size(0);
  sums[l] = x[get_global_id(0)];
  for (uint step = 1; step < size; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % (2 * step) == 0)
      sums[l] += l + step < size ? sums[l + step] : 0;
  }
  if (l == 0)
    y[get_group_id(0)] = sums[0];
}

kernel void guarded(global int *x, int step, int n) {
  int l = get_local_id(0);
  global int *own = x + get_group_id(0) * get_local_size(0);
  if (l < n && l % step == 0)
    own[l] = 2 * own[l] + l;
}

kernel void wide(global int *x, ulong step) {
  ulong l = get_local_id(0);
  global int *own = x + get_group_id(0) * get_local_size(0);
  if (l % step == 0)
    own[l] += 5 + l;
}

// Sums of an id and a number, other rests, and masks that are known to be 2^n - 1, or may not be.
kernel void rests(global int *y, int p, uint q) {
  local int t[64];
  int l = get_local_id(0), n = get_local_size(0), mask = 1;
  uint u = l;
  ulong w = l;
  t[l] = l;
  for (int k = 1; k < n; k *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (((l + 3) & (2 * k - 1)) == 0) t[l] += k;
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((u - 5 & mask) == k - 1) t[l] += 3 * k;
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((w & (1ul << q) - 1) == 1) t[l] ^= 5 * k;
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((l & p) == 0 && l + k < n) t[l] ^= 7 * k;
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((l + 100) % (p * k) == 3) t[l] += 11 * k;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (u % (q * k) == q) t[l] *= 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == n - k) t[l] -= 13;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (2 * u + 1 < 40) t[l] -= 1;
    mask = mask << 1 | 1;
  }
  y[get_global_id(0)] = t[l];
}
