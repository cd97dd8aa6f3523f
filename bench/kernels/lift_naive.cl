// BLAS as portable OpenCL has it, for any number of elements: the peers of `bench.lift`.

void sum_of_group(float sum, __global float *sums, __local float *tile) {
  uint l = get_local_id(0);
  tile[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {
    if (l < s)
      tile[l] += tile[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    sums[get_group_id(0)] = tile[0];
}

__kernel void naive_asum(__global const float *x, __global float *sums, uint n,
                         __local float *tile) {
  float sum = 0.0f;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    sum += fabs(x[i]);
  sum_of_group(sum, sums, tile);
}

__kernel void naive_dot(__global const float *x, __global const float *y, __global float *sums,
                        uint n, __local float *tile) {
  float sum = 0.0f;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    sum += x[i] * y[i];
  sum_of_group(sum, sums, tile);
}

__kernel void naive_scal(__global float *x, float a) { x[get_global_id(0)] *= a; }

__kernel void naive_gemv(__global const float *A, __global const float *x, __global const float *y,
                         __global float *result, uint columns, float a, float b) {
  size_t row = get_global_id(0);
  float sum = 0.0f;
  for (uint j = 0; j < columns; j++)
    sum += A[row * columns + j] * x[j];
  result[row] = a * sum + b * y[row];
}

__kernel void naive_matmul(__global const float *A, __global const float *B, __global float *C,
                           uint k) {
  size_t row = get_global_id(1), column = get_global_id(0), n = get_global_size(0);
  float sum = 0.0f;
  for (uint j = 0; j < k; j++)
    sum += A[row * k + j] * B[j * n + column];
  C[row * n + column] = sum;
}
