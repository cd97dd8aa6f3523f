// saxpy, and a reduction in local memory
kernel void saxpy(global const float *x, global float *y, float a) {
  int i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}

kernel __attribute__((reqd_work_group_size(8, 1, 1)))
void sums(constant uint *x, global uint *sum, local uint *tile) {
  int l = get_local_id(0);
  tile[l] = x[get_global_id(0)];
  for (int n = get_local_size(0) / 2; n > 0; n /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < n) tile[l] += tile[l + n];
  }
  if (l == 0) sum[get_group_id(0)] = tile[0];
}
