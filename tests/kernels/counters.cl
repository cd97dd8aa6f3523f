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
