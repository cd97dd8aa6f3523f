//: global 131072
//: local 128
//: data L = r.integers(10, 100, 4096)
//: data R = np.concatenate([[0], np.cumsum(L)]).astype(np.uint32)
//: arg np.uint32(4096)
//: arg R
//: arg r.integers(0, 4096, int(R[-1])).astype(np.uint32)
//: arg r.random(int(R[-1]), dtype=np.float32)
//: arg r.random(4096, dtype=np.float32)
//: arg np.zeros(4096, np.float32)
// y = A x, 32 threads for each row.
#define WARP 32
kernel void spmv_csr_vector(const uint rows, global const uint *restrict ptr, global const uint *restrict col,
                            global const float *restrict val, global const float *restrict x, global float *restrict y) {
  local volatile float part[128 + 16];
  const uint t = get_local_id(0);
  const uint lane = t & (WARP - 1);
  const uint row = get_global_id(0) / WARP;
  float sum = 0;
  if (row < rows)
    for (uint j = ptr[row] + lane; j < ptr[row + 1]; j += WARP)
      sum += val[j] * x[col[j]];
  part[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = WARP / 2; s > 0; s >>= 1) {
    if (lane < s) part[t] += part[t + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0 && row < rows) y[row] = part[t];
}
