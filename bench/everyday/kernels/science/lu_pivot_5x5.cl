//: global 4096
//: local 64
//: arg r.random((4096, 25), dtype=np.float32)
//: arg r.random((4096, 5), dtype=np.float32)
//: arg np.uint32(4096)
// Gaussian elimination with partial pivoting in private memory.
#define N 5
__kernel void solve5(__global const float *A, __global float *b, uint count) {
  uint g = get_global_id(0);
  if (g >= count) return;
  float a[N][N], y[N];
  for (int i = 0; i < N; i++) {
    y[i] = b[g * N + i];
    for (int j = 0; j < N; j++) a[i][j] = A[g * N * N + i * N + j];
  }
  for (int k = 0; k < N; k++) {
    int p = k;
    for (int i = k + 1; i < N; i++)
      if (fabs(a[i][k]) > fabs(a[p][k])) p = i;
    if (p != k) {
      for (int j = 0; j < N; j++) { float t = a[k][j]; a[k][j] = a[p][j]; a[p][j] = t; }
      float t = y[k]; y[k] = y[p]; y[p] = t;
    }
    for (int i = k + 1; i < N; i++) {
      float f = a[i][k] / a[k][k];
      for (int j = k; j < N; j++) a[i][j] -= f * a[k][j];
      y[i] -= f * y[k];
    }
  }
  for (int i = N - 1; i >= 0; i--) {
    float s = y[i];
    for (int j = i + 1; j < N; j++) s -= a[i][j] * y[j];
    y[i] = s / a[i][i];
  }
  for (int i = 0; i < N; i++) b[g * N + i] = y[i];
}
