//: global 640 240
//: local 64 1
//: arg r.integers(0, 65536, 640 * 480 * 3, np.uint16)
//: arg np.zeros(640 * 480 * 3, np.uint16)
//: arg np.int32(640)
//: arg np.int32(480)
// Turned upside down and mirrored; each work-item does two rows.
__kernel void rotate180(__global const ushort *in, __global ushort *out, int cols, int rows) {
  int x = get_global_id(0);
  int y0 = get_global_id(1) * 2;
  if (x >= cols) return;
  for (int y = y0, end = min(rows, y0 + 2); y < end; ++y) {
    ushort3 p = vload3(y * cols + x, in);
    vstore3(p, (rows - 1 - y) * cols + (cols - 1 - x), out);
  }
}
