//: global 65536
//: local 256
//: arg np.int32(65536)
//: arg np.int32(7)
//: arg np.array([-4096, -256, -1, 0, 1, 256, 4096], np.int32)
//: arg r.random((7, 65536), dtype=np.float32)
//: arg r.random(65536, dtype=np.float32)
//: arg np.zeros(65536, np.float32)
// Diagonals at offsets.
__kernel void dia_spmv(const int n, const int ndiag, __constant int *offsets, __global const float *data,
                       __global const float *x, __global float *y) {
  const int row = get_global_id(0);
  if (row < n) {
    float sum = 0.0f;
    for (int d = 0; d < ndiag; d++) {
      const int col = row + offsets[d];
      if (col >= 0 && col < n) sum += data[d * n + row] * x[col];
    }
    y[row] = sum;
  }
}
