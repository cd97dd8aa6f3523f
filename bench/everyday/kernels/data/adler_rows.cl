//: global 8192
//: local 256
//: arg r.integers(0, 256, 200 * 8192, np.uint8)
//: arg np.zeros(8192, np.uint32)
//: arg np.int32(200)
// Adler-32 of each row.
kernel void adler32(global const uchar *rows, global uint *sums, const int width) {
  const int y = get_global_id(0);
  uint a = 1, b = 0;
  for (int x = 0; x < width; ++x) {
    a = (a + rows[y * width + x]) % 65521;
    b = (b + a) % 65521;
  }
  sums[y] = (b << 16) | a;
}
