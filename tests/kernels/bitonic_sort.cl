// Bitonic sort in local memory: barriers in nested loops with computed strides.
// LAUNCH: global=64 local=32 args: data=rand:i32:64:-1000:1000 descending=0
// LAUNCH: global=16 local=16 args: data=rand:i32:16:-9:9 descending=1
kernel void sort(global int *data, int descending) {
  local int tile[32];
  uint l = get_local_id(0), n = get_local_size(0);
  tile[l] = data[get_global_id(0)];
  for (uint size = 2; size <= n; size <<= 1) {
    for (uint stride = size >> 1; stride > 0; stride >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint other = l ^ stride;
      if (other > l) {
        bool up = ((l & size) == 0) != (descending != 0);
        int a = tile[l], b = tile[other];
        if ((a > b) == up) {
          tile[l] = b;
          tile[other] = a;
        }
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = tile[l];
}
