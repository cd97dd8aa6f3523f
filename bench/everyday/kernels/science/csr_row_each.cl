//: global 16384
//: local 64
//: data L = r.integers(0, 40, 16384)
//: data R = np.concatenate([[0], np.cumsum(L)]).astype(np.int32)
//: arg np.int32(16384)
//: arg R
//: arg r.integers(0, 16384, int(R[-1])).astype(np.int32)
//: arg r.random(int(R[-1]))
//: arg r.random(16384)
//: arg np.zeros(16384)
// y = A x, a work-item for each row.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void spmv_csr_scalar(const int num_rows, __global const int *ptr, __global const int *indices,
                              __global const double *data, __global const double *x, __global double *y) {
  int row = get_global_id(0);
  if (row < num_rows) {
    double dot = 0;
    int row_start = ptr[row];
    int row_end = ptr[row + 1];
    for (int jj = row_start; jj < row_end; jj++)
      dot += data[jj] * x[indices[jj]];
    y[row] += dot;
  }
}
