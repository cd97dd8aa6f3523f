//: global 4096
//: local 64
//: arg r.integers(0, 3, 262144, np.uint8)
//: arg np.zeros(4096, np.int32)
//: arg np.int32(64)
// Sixteen at a time.
kernel void count_runs(global const uchar *data, global int *runs, int m) {
  int row = get_global_id(0), n = 1;
  for (int i = 0; i < m - 16; i += 16) {
    uchar16 d = vload16(0, data + row * m + i), e = vload16(0, data + row * m + i + 1);
    char16 s = d != e;
    char8 a = s.lo + s.hi;
    char4 b = a.lo + a.hi;
    char2 c = b.lo + b.hi;
    n -= c.x + c.y;
  }
  for (int i = m - 16; i < m - 1; i++) n += data[row * m + i] != data[row * m + i + 1] ? 1 : 0;
  runs[row] = n;
}
