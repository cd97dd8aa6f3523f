// One step of LU decomposition: column `d` of the lower matrix, and what it takes from all rows
// below the pivot. The column itself stays as it is, as other work-groups read it.
__kernel void decompose(__global float *lower, __global float *a, __local float *ratios, int n,
                        int d) {
  ID x = get_global_id(0), y = get_global_id(1), j = get_local_id(1);
  if (get_local_id(0) == 0 && y > d)
    ratios[j] = a[y * n + d] / a[d * n + d];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (y > d && x >= d) {
    if (x == d)
      lower[y * n + d] = ratios[j];
    else
      a[y * n + x] -= ratios[j] * a[d * n + x];
  }
}

// Both triangles in one matrix.
__kernel void combine(__global const float *lower, __global float *a, int n) {
  ID x = get_global_id(0), y = get_global_id(1);
  if (x < y)
    a[y * n + x] = lower[y * n + x];
}
