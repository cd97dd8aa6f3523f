__kernel void sgemm(__global float *C, __global const float *A, __global const float *B,
                    int N, int K, float alpha, float beta) {
  ID col = get_global_id(0), row = get_global_id(1);
  float sum = 0.0f;
  for (ID k = 0; k < K; ++k)
    sum += A[row * K + k] * B[k * N + col];
  C[row * N + col] = alpha * sum + beta * C[row * N + col];
}
