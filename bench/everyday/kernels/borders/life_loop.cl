//: global 512 512
//: local 8 8
//: arg r.integers(0, 2, 512 * 512, np.int32)
//: arg np.zeros(512 * 512, np.int32)
// Life again, with loops over the neighbours, sizes from the launch.
int cell(global const int *grid, int x, int y, int w, int h) {
  if (x < 0) x = w - 1;
  else if (x == w) x = 0;
  if (y < 0) y = h - 1;
  else if (y == h) y = 0;
  return grid[y * w + x];
}

kernel void life_step(global const int *grid, global int *out) {
  int w = get_global_size(0), h = get_global_size(1);
  int x = get_global_id(0), y = get_global_id(1);
  int n = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0)
        n += cell(grid, x + dx, y + dy, w, h);
  int me = grid[y * w + x];
  if (me == 1 && (n < 2 || n > 3))
    out[y * w + x] = 0;
  else if (me == 0 && n == 3)
    out[y * w + x] = 1;
  else
    out[y * w + x] = me;
}
