//: global 32768
//: local 256
//: arg r.random(1 << 19, np.float32)
//: arg np.zeros(1 << 19, np.float32)
//: arg np.zeros(128, np.float32)
//: arg np.uint32(1 << 19)
// Each group scans its chunk in steps of the group, with what came before.
__kernel void scan_chunks(__global const float *x, __global float *y, __global float *carries, unsigned int n) {
  __local float shared_buf[256];
  unsigned int work_per_thread = (n - 1) / get_global_size(0) + 1;
  unsigned int block_start = work_per_thread * get_local_size(0) * get_group_id(0);
  unsigned int block_stop = min(n, block_start + work_per_thread * (unsigned int)get_local_size(0));
  float block_offset = 0;
  for (unsigned int i = block_start + get_local_id(0); i < block_stop; i += get_local_size(0)) {
    float val = x[i];
    shared_buf[get_local_id(0)] = val;
    for (unsigned int stride = 1; stride < get_local_size(0); stride *= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      float add = get_local_id(0) >= stride ? shared_buf[get_local_id(0) - stride] : 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      shared_buf[get_local_id(0)] += add;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    y[i] = block_offset + shared_buf[get_local_id(0)];
    block_offset += shared_buf[get_local_size(0) - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (get_local_id(0) == 0) carries[get_group_id(0)] = block_offset;
}
