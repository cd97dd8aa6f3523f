// Local and global atomics: a histogram for each group, added to one for all.
// LAUNCH: global=128 local=32 args: data=rand:u8:1024:0:255 bins=zeros:u32:16 n=1024
// LAUNCH: global=20 local=4 args: data=rand:u8:333:0:255 bins=zeros:u32:16 n=333
kernel void histogram(global const uchar *data, global uint *bins, uint n) {
  local uint mine[16];
  for (uint i = get_local_id(0); i < 16; i += get_local_size(0))
    mine[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(&mine[data[i] >> 4]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < 16; i += get_local_size(0))
    atomic_add(&bins[i], mine[i]);
}
