// All atomic functions of 32 bits, whose results do not depend on an order: add, sub, inc, dec,
// min, max, and, or, xor, xchg, cmpxchg; signed and unsigned; local and global memory.
// LAUNCH: global=64 local=16 args: x=rand:i32:64:-1000:1000 totals=zeros:i32:8 unsigned_totals=full:u32:4:500 tickets=zeros:i32:64 f=zeros:f32:1
kernel void accumulate(global const int *x, volatile global int *totals,
                       volatile global uint *unsigned_totals, volatile global int *tickets,
                       volatile global float *f) {
  volatile local int shared_min, shared_sum;
  int g = get_global_id(0), l = get_local_id(0), v = x[g];
  if (l == 0) {
    shared_min = INT_MAX;
    atomic_xchg(&shared_sum, 0);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_min(&shared_min, v);
  atomic_add(&shared_sum, v);
  atomic_add(&totals[0], v);
  atomic_sub(&totals[1], v * 2);
  atomic_max(&totals[2], v);
  atomic_or(&totals[3], 1 << (g & 31));
  atomic_xor(&totals[4], v);
  atomic_dec(&totals[5]);
  int ticket = atomic_inc(&totals[6]);
  atomic_xchg(&tickets[ticket], 1);
  atomic_min(&unsigned_totals[0], (uint)v);
  atomic_max(&unsigned_totals[1], (uint)v);
  atomic_and(&unsigned_totals[2], ~(1u << (g & 3)));
  uint seen = 0, expected;
  do {
    expected = seen;
    seen = atomic_cmpxchg(&unsigned_totals[3], expected, expected + (uint)(g & 7));
  } while (seen != expected);
  atomic_xchg(f, 2.5f);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    atomic_add(&totals[7], shared_min * 1000 + shared_sum);
}
