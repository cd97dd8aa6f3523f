// C = alpha * A * B' + beta * C: A is m x k, B is n x k, C is m x n, all by columns. A work-item
// computes one element.
kernel void multiply(global const float *a, int lda, global const float *b, int ldb,
                     global float *c, int ldc, int k, float alpha, float beta)
{
    int row = get_global_id(0), column = get_global_id(1);
    float sum = 0.0f;
    for (int i = 0; i < k; i++)
        sum += a[row + i * lda] * b[column + i * ldb];
    c[row + column * ldc] = c[row + column * ldc] * beta + alpha * sum;
}
