//: global 64 512
//: local 16 4
//: arg r.integers(0, 1 << 32, (512, 64), np.uint32)
//: arg np.zeros((512, 64), np.uint32)
//: arg np.int32(64)
//: arg np.int32(512)
// A step of the game of life on a torus, 32 cells in a word.
uint cell(global const uint *w, int x, int y, int width, int height) {
  return w[((y + height) % height) * width + (x + width) % width];
}

kernel void life(global const uint *in, global uint *out, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  uint one = 0, two = 0, four = 0;
  for (int dy = -1; dy <= 1; dy++) {
    uint m = cell(in, x, y + dy, width, height);
    uint left = (m << 1) | (cell(in, x - 1, y + dy, width, height) >> 31);
    uint right = (m >> 1) | (cell(in, x + 1, y + dy, width, height) << 31);
    uint add[3] = {left, dy == 0 ? 0 : m, right};
    for (int k = 0; k < 3; k++) {
      uint c = one & add[k];
      one ^= add[k];
      uint d = two & c;
      two ^= c;
      four |= d;
    }
  }
  out[y * width + x] = two & ~four & (one | in[y * width + x]);
}
