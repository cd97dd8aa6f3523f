//: global 1024 512
//: local 16 16
//: arg r.integers(0, 256, 524288, np.uint8)
//: arg np.zeros(524288, np.uint8)
//: arg np.int32(1024)
//: arg np.int32(512)
// A tile with its border in local memory.
#define T 16
kernel void sobel(global const uchar *in, global uchar *out, int w, int h) {
  local uchar tile[T + 2][T + 2];
  int lx = get_local_id(0), ly = get_local_id(1);
  int x0 = get_group_id(0) * T - 1, y0 = get_group_id(1) * T - 1;
  for (int i = ly * T + lx; i < (T + 2) * (T + 2); i += T * T) {
    int ty = i / (T + 2), tx = i % (T + 2);
    int gx = min(max(x0 + tx, 0), w - 1), gy = min(max(y0 + ty, 0), h - 1);
    tile[ty][tx] = in[gy * w + gx];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int dx = tile[ly][lx + 2] + 2 * tile[ly + 1][lx + 2] + tile[ly + 2][lx + 2]
         - tile[ly][lx] - 2 * tile[ly + 1][lx] - tile[ly + 2][lx];
  int dy = tile[ly + 2][lx] + 2 * tile[ly + 2][lx + 1] + tile[ly + 2][lx + 2]
         - tile[ly][lx] - 2 * tile[ly][lx + 1] - tile[ly][lx + 2];
  out[(y0 + 1 + ly) * w + x0 + 1 + lx] = convert_uchar_sat(abs(dx) + abs(dy));
}
