// Counters in global memory: indices that are small by type, mask, remainder, shift or counter.
// LAUNCH: kernel=bytes global=192 local=32 args: data=rand:u8:1000:0:255 bins=full:u32:256:7 n=1000
kernel void bytes(global const uchar *data, global uint *bins, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&bins[data[i]]);
}

// LAUNCH: kernel=mixed global=96 local=8 args: data=rand:i32:96:-1000:1000 masks=zeros:i32:16 rests=full:u32:7:4294967290 parts=zeros:i32:64 sum=full:i32:1:5 large=zeros:i32:1
kernel void mixed(global const int *data, global int *masks, global uint *rests,
                  global int *parts, global int *sum, global int *large) {
  int v = data[get_global_id(0)];
  atomic_add(&masks[v & 15], v);
  atomic_add(&rests[(uint)v % 7u], 3u);
  atomic_inc(&parts[(uint)v >> 26]);
  atomic_add(sum, v);
  if (v > 500) atomic_inc(large);
}

// Sums of bytes wrap in eight bits, and signed ones are negative.
// LAUNCH: kernel=wrapped global=64 local=16 args: data=rand:u8:64:0:255 bins=zeros:i32:512
kernel void wrapped(global const uchar *data, global int *bins) {
  uchar v = data[get_global_id(0)];
  char low = (char)((v & 100) + (v & 100));
  atomic_inc(&bins[low + 200]);
}

// Not counters: what was there is used, or the array is read or changed in another way.
// LAUNCH: kernel=used global=64 local=16 args: data=rand:u8:64:0:3 tickets=zeros:i32:64 next=zeros:i32:1 both=zeros:i32:4 own=rand:i32:64:0:9
kernel void used(global const uchar *data, global int *tickets, global int *next,
                 global int *both, global int *own) {
  int i = get_global_id(0);
  atomic_xchg(&tickets[atomic_inc(next)], 1);
  atomic_inc(&both[data[i] & 1]);
  atomic_max(&both[2 + (data[i] & 1)], i);
  atomic_add(&own[i & 63], 2);
  own[i] *= 3;
}

// Counters of a group, which lanes add to in turn, and one that they add to at once.
// LAUNCH: kernel=of_group global=144 local=48 args: data=rand:f64:144:0:9 digits=rand:u8:144:0:9 out=zeros:u32:90 large=zeros:u64:1 step=7
kernel void of_group(global const double *data, global const uchar *digits, global uint *out,
                     global ulong *large, uint step) {
  local uint bins[10], total[2];
  int lid = get_local_id(0), i = get_global_id(0);
  if (lid < 10) bins[lid] = lid;
  if (lid < 2) total[lid] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  double v = sqrt(data[i]) * sqrt(data[i]) + cos(data[i]) * 1e-9;
  for (int k = 0; k < 3; k++)
    if (v > k) atomic_add(&bins[(int)v], step + k);
  uchar b = (uchar)(digits[i] * 7 % 10);
  if (b != 3) atomic_inc(&bins[b]);
  if (b > 4) atomic_add(total, step);
  atomic_dec(&total[1]);
  atomic_add(&bins[b], (uint)b);
  if (v < 8) atomic_inc((volatile global uint *)large + 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lid < 10) atomic_add(&out[get_group_id(0) * 30 + lid], bins[lid]);
  if (lid < 2) out[get_group_id(0) * 30 + 10 + lid] = total[lid];
}

// More lanes than those of which the processor finds the ones with the same counter.
// LAUNCH: kernel=of_bytes global=250 local=125 args: digits=rand:u8:250:0:200 out=zeros:u32:40
kernel void of_bytes(global const uchar *digits, global uint *out) {
  local uint bins[20];
  int lid = get_local_id(0);
  if (lid < 20) bins[lid] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uchar b = digits[get_global_id(0)];
  for (int k = 0; k < 9; k++) b = (uchar)((b ^ (b >> 3)) * 5 + k);
  if (b & 64) atomic_inc(&bins[b / 13]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lid < 20) out[get_group_id(0) * 20 + lid] = bins[lid];
}
