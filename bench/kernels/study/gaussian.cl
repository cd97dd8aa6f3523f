// Elimination of column `t`. Rows are dimension 0, columns dimension 1: neighbours in memory are
// neighbours along the second dimension.
__kernel void fan1(__global float *m, __global const float *a, int size, int t) {
  ID row = get_global_id(0);
  if (row < size - 1 - t)
    m[size * (row + 1 + t) + t] = a[size * (row + 1 + t) + t] / a[size * t + t];
}

__kernel void fan2(__global const float *m, __global float *a, __global float *b, int size,
                   int t) {
  ID row = get_global_id(0), column = get_global_id(1);
  if (row < size - 1 - t && column < size - t) {
    a[size * (row + 1 + t) + column + t] -=
        m[size * (row + 1 + t) + t] * a[size * t + column + t];
    if (column == 0)
      b[row + 1 + t] -= m[size * (row + 1 + t) + t] * b[t];
  }
}
