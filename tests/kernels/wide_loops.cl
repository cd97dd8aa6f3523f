// Loops that count beyond 32 bits, or near the end of what 32 bits hold: a processor whose indices
// have 32 bits must count with more.
// LAUNCH: kernel=longs global=16 local=8 args: out=zeros:i64:64 low=4294967290 count=9 step=3
// LAUNCH: kernel=longs global=16 local=8 args: out=zeros:i64:64 low=-2147483650 count=7 step=5
// LAUNCH: kernel=longs global=16 local=8 args: out=zeros:i64:64 low=9223372036854775700 count=20 step=40
// LAUNCH: kernel=longs global=16 local=8 args: out=zeros:i64:64 low=-3 count=0 step=1
// LAUNCH: kernel=unsigned_ones global=8 local=4 args: out=zeros:i64:16 low=2147483640 high=2147483655
// LAUNCH: kernel=unsigned_ones global=8 local=4 args: out=zeros:i64:16 low=4294967280 high=4294967291
// LAUNCH: kernel=unsigned_ones global=8 local=4 args: out=zeros:i64:16 low=9 high=3
// LAUNCH: kernel=rows global=4 local=4 args: in=rand:i32:64 out=zeros:i32:4 first=2305843009213693952

kernel void longs(global long *out, long low, int count, int step) {
  int x = get_global_id(0);
  long high = low + count, sum = x;
  for (long i = low; i < high; i++)
    sum = sum * 3 + i;
  out[x] = sum;
  sum = x;
  for (long i = low + x; i < high; i += step)
    sum = sum * 5 + i;
  out[16 + x] = sum;
  sum = x;
  for (long i = low; i < min(high, low + x); i += 2)
    for (long j = i; j <= i + 2; j++)
      sum = sum * 7 + (i ^ j);
  out[32 + x] = sum;
  sum = x;
  for (long i = high; i > low; i--)
    sum = sum * 9 + (i >> 3) % 11;
  out[48 + x] = sum;
}

kernel void unsigned_ones(global long *out, uint low, uint high) {
  uint x = get_global_id(0);
  long sum = x;
  for (uint i = low; i < high; i++)
    sum = sum * 3 + i;
  out[x] = sum;
  sum = x;
  for (uint i = low + x; i < high; i += 3)
    sum = sum * 5 + (i > 0x80000000u ? i / 3 : i);
  out[8 + x] = sum;
}

// The counter is an index, less what is too large for one.
kernel void rows(global const int *in, global int *out, long first) {
  int x = get_global_id(0), sum = 0;
  for (long i = first + x; i < first + 16; i++)
    sum = sum * 3 + in[4 * (i - first) + x];
  out[x] = sum;
}
