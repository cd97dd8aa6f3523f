//: global 524288
//: local 256
//: arg r.random(1 << 19, np.float64)
//: arg np.zeros(2048, np.float64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
// A work-item is on at level i if its lowest i bits are zero.
__kernel void norm2(__global const double *x, __global double *out) {
  __local double scratch[256];
  size_t l = get_local_id(0);
  double v = x[get_global_id(0)];
  scratch[l] = v * v;
  for (int i = 1; i <= 8; ++i) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (((l >> i) << i) == l)
      scratch[l] += scratch[l + (1 << (i - 1))];
  }
  if (l == 0) out[get_group_id(0)] = sqrt(scratch[0]);
}
