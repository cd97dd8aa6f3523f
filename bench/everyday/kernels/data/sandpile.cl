//: global 512 512
//: local 16 16
//: arg r.integers(0, 8, (512, 512), np.int32)
//: arg np.zeros((512, 512), np.int32)
//: arg np.int32(512)
// A step in which all piles of four and more topple.
kernel void topple(global const int *in, global int *out, const int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  int v = in[y * n + x] % 4;
  if (x > 0) v += in[y * n + x - 1] / 4;
  if (x < n - 1) v += in[y * n + x + 1] / 4;
  if (y > 0) v += in[(y - 1) * n + x] / 4;
  if (y < n - 1) v += in[(y + 1) * n + x] / 4;
  out[y * n + x] = v;
}
