//: global 4096
//: local 64
//: arg r.integers(0, 3, 262144, np.uint8)
//: arg np.zeros(4096, np.int32)
//: arg np.int32(64)
kernel void count_runs(global const uchar *data, global int *runs, int m) {
  const uint row = get_global_id(0);
  uint n = 1;
  for (uint i = row * m; i < row * m + m - 1; ++i) n += data[i] != data[i + 1];
  runs[row] = n;
}
