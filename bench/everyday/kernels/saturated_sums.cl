//: global 1048576
//: local 256
//: arg r.integers(0, 256, 1 << 20, np.uint8)
//: arg r.integers(0, 256, 1 << 20, np.uint8)
//: arg np.zeros(1 << 20, np.uint8)
//: arg np.int32(1 << 20)
// Adds two pictures of grey bytes.
kernel void add_pictures(global const uchar *a, global const uchar *b, global uchar *sum, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  int s = a[i] + b[i];
  sum[i] = s > 255 ? 255 : s;
}
