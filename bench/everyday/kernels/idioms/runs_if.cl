//: global 4096
//: local 64
//: arg r.integers(0, 3, 262144, np.uint8)
//: arg np.zeros(4096, np.int32)
//: arg np.int32(64)
// How many runs of equal bytes each row has.
kernel void count_runs(global const uchar *data, global int *runs, int m) {
  int row = get_global_id(0);
  global const uchar *p = data + row * m;
  int n = 1;
  for (int i = 1; i < m; i++)
    if (p[i] != p[i - 1]) n++;
  runs[row] = n;
}
