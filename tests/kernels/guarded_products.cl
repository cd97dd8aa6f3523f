// Guards that compare a product of the id with a number: positive, negative, zero, or so large that
// the product wraps. Ids in a type that does not have all of them.
// LAUNCH: kernel=dense global=128 local=64 args: x=rand:i32:128 y=zeros:i32:2
// LAUNCH: kernel=dense global=70 local=35 args: x=rand:i32:70 y=zeros:i32:2
// LAUNCH: kernel=tree global=96 local=48 args: x=rand:u32:96 y=zeros:u32:96
// LAUNCH: kernel=products global=40 local=20 args: y=zeros:i32:40 k=3 c=1 n=30
// LAUNCH: kernel=products global=40 local=20 args: y=zeros:i32:40 k=3 c=1 n=-1
// LAUNCH: kernel=products global=40 local=20 args: y=zeros:i32:40 k=0 c=0 n=1
// LAUNCH: kernel=products global=40 local=20 args: y=zeros:i32:40 k=-2 c=9 n=-3
// LAUNCH: kernel=products global=40 local=20 args: y=zeros:i32:40 k=1 c=-4 n=7
// LAUNCH: kernel=products global=40 local=20 args: y=zeros:i32:40 k=65537 c=65536 n=2147483647
// LAUNCH: kernel=unsigned_products global=40 local=20 args: y=zeros:i32:40 k=5 c=2 n=31
// LAUNCH: kernel=unsigned_products global=40 local=20 args: y=zeros:i32:40 k=0 c=2 n=4294967295
// LAUNCH: kernel=unsigned_products global=40 local=20
//     args: y=zeros:i32:40 k=858993460 c=4294967295 n=1000000000
// LAUNCH: kernel=long_products global=40 local=20 args: y=zeros:i32:40 k=7 c=3 n=40
// LAUNCH: kernel=long_products global=40 local=20
//     args: y=zeros:i32:40 k=4611686018427387904 c=1 n=9223372036854775807
// LAUNCH: kernel=long_products global=40 local=20
//     args: y=zeros:i32:40 k=2 c=18446744073709551611 n=18446744073709551615
// LAUNCH: kernel=small global=600 local=300 args: y=zeros:i32:600 n=200

kernel void dense(global const int *x, global int *y) {
  local int sums[64];
  int l = get_local_id(0), size = get_local_size(0);
  sums[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < size; step *= 2) {
    int at = 2 * step * l;
    if (at + step < size)
      sums[at] += sums[at + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    y[get_group_id(0)] = sums[0];
}

kernel void tree(global const uint *x, global uint *y) {
  local uint a[48];
  uint l = get_local_id(0), n = get_local_size(0);
  a[l] = x[get_global_id(0)];
  uint shift = 0;
  for (uint step = 1; step < n; step <<= 1, shift++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint at = ((2 * l + 2) << shift) - 1;
    if (n > at)
      a[at] += a[at - step];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_global_id(0)] = a[l];
}

kernel void products(global int *y, int k, int c, int n) {
  int l = get_local_id(0);
  global int *own = y + 20 * get_group_id(0);
  if (l * k + c < n)
    own[l] += 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (n >= c - k * -l)
    own[l] += 2;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (l * l < n)
    own[l] += 4;
}

kernel void unsigned_products(global int *y, uint k, uint c, uint n) {
  uint l = get_local_id(0);
  global int *own = y + 20 * get_group_id(0);
  if (l * k + c < n)
    own[l] += 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (n >= c + k * (l + 1))
    own[l] += 2;
}

kernel void long_products(global int *y, ulong k, ulong c, ulong n) {
  ulong l = get_local_id(0);
  long s = l;
  global int *own = y + 20 * get_group_id(0);
  if (l * k + c < n)
    own[l] += 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (s * (long)(k & 255) + (long)c <= (long)n)
    own[l] += 2;
}

kernel void small(global int *y, int n) {
  uchar l = get_local_id(0);
  if (l < n)
    y[get_global_id(0)] = l + 1;
}
