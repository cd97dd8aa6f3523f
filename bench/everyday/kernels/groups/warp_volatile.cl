//: global 524288
//: local 256
//: arg r.random(1 << 20, np.float32)
//: arg np.zeros(2048, np.float32)
//: arg np.uint32(1 << 20)
// Two elements each while loading, an unrolled tree with barriers down to one.
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void sum4(__global const float *g_in, __global float *g_out, uint n) {
  __local volatile float sdata[256];
  uint tid = get_local_id(0);
  uint i = get_group_id(0) * (256 * 2) + tid;
  float mySum = (i < n) ? g_in[i] : 0;
  if (i + 256 < n) mySum += g_in[i + 256];
  sdata[tid] = mySum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (tid < 128) { sdata[tid] = mySum = mySum + sdata[tid + 128]; }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (tid < 64) { sdata[tid] = mySum = mySum + sdata[tid + 64]; }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (tid < 32) { sdata[tid] = mySum = mySum + sdata[tid + 32]; }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (tid < 16) { sdata[tid] = mySum = mySum + sdata[tid + 16]; }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (tid < 8) { sdata[tid] = mySum = mySum + sdata[tid + 8]; }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (tid < 4) { sdata[tid] = mySum = mySum + sdata[tid + 4]; }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (tid < 2) { sdata[tid] = mySum = mySum + sdata[tid + 2]; }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (tid == 0) g_out[get_group_id(0)] = sdata[0] + sdata[1];
}
