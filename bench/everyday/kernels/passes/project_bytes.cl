//: global 2048
//: local 64
//: arg r.integers(0, 256, 2048 * 400, np.uint8)
//: arg np.zeros(2048, np.int32)
//: arg np.int32(2048)
//: arg np.int32(400)
// Sums of the columns of a picture of bytes: where letters are.
kernel void project_bytes(global const uchar *picture, global int *sums, int w, int h) {
  int x = get_global_id(0);
  int sum = 0;
  for (int y = 0; y < h; y++)
    if (picture[y * w + x] < 128) sum++;
  sums[x] = sum;
}
