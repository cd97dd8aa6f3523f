// Ids of 64 bits that are compared with numbers of 64 bits, in every way, before, among and after
// those of a group, and at the ends of the range.
// LAUNCH: kernel=unsigned_guards global=64 local=32 args: y=zeros:u32:64 n=40
// LAUNCH: kernel=unsigned_guards global=64 local=32 args: y=zeros:u32:64 n=0
// LAUNCH: kernel=unsigned_guards global=64 local=32 args: y=zeros:u32:64 n=18446744073709551615
// LAUNCH: kernel=unsigned_guards global=64 local=32 args: y=zeros:u32:64 n=9223372036854775815
// LAUNCH: kernel=unsigned_guards global=48 local=48 offset=5 args: y=zeros:u32:64 n=20
// LAUNCH: kernel=signed_guards global=64 local=32 args: y=zeros:u32:64 n=37
// LAUNCH: kernel=signed_guards global=64 local=32 args: y=zeros:u32:64 n=-1
// LAUNCH: kernel=signed_guards global=64 local=32 args: y=zeros:u32:64 n=-9223372036854775807
// LAUNCH: kernel=signed_guards global=64 local=32 args: y=zeros:u32:64 n=9223372036854775807
// LAUNCH: kernel=scan global=128 local=64 args: x=rand:u32:128 y=zeros:u32:128

kernel void unsigned_guards(global uint *y, ulong n) {
  size_t i = get_global_id(0), three = 3 * i + 2;
  uint v = y[i];
  v |= i < n ? 1 : 0;
  v |= i <= n ? 2 : 0;
  v |= n < i ? 4 : 0;
  v |= n <= i ? 8 : 0;
  v |= i == n ? 16 : 0;
  v |= n != i ? 32 : 0;
  v |= three > n ? 64 : 0;
  v |= n >= three ? 128 : 0;
  v |= i - 6 < n ? 256 : 0;
  v |= i < (n ^ i) ? 512 : 0;
  y[i] = v;
}

kernel void signed_guards(global uint *y, long n) {
  long i = get_global_id(0), back = 40 - i;
  uint v = y[i];
  v |= i - 7 < n ? 1 : 0;
  v |= i - 7 <= n ? 2 : 0;
  v |= n < 2 * i - 9 ? 4 : 0;
  v |= n <= 2 * i - 9 ? 8 : 0;
  v |= i - 1 == n ? 16 : 0;
  v |= n != i - 1 ? 32 : 0;
  v |= back > n ? 64 : 0;
  v |= n >= back ? 128 : 0;
  v |= i < back ? 256 : 0;
  y[i] = v;
}

kernel void scan(global const uint *x, global uint *y) {
  local uint a[64];
  size_t l = get_local_id(0), n = get_local_size(0);
  a[l] = x[get_global_id(0)];
  for (size_t step = 1; step < n; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint add = l >= step ? a[l - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] += add;
  }
  y[get_global_id(0)] = a[l];
}
