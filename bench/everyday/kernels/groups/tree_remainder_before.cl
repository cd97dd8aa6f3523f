//: global 1048576
//: local 256
//: arg r.integers(0, 1000, 1 << 20, np.int32)
//: arg np.zeros(4096, np.int32)
#define SIZE 256
// The first reduction that a course shows.
kernel void reduce0(global int *g_idata, global int *g_odata) {
  local int sdata[SIZE];
  unsigned int tid = get_local_id(0);
  unsigned int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  sdata[tid] = g_idata[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (unsigned int s = 1; s < get_local_size(0); s *= 2) {
    int add = 0;
    if (tid % (2 * s) == 0) add = sdata[tid + s];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tid % (2 * s) == 0) sdata[tid] += add;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (tid == 0) g_odata[get_group_id(0)] = sdata[0];
}
