// A five-point stencil iterated in a local tile with a border.
// LAUNCH: global=6x4 local=6x4 args: grid=rand:f32:6x8 rounds=4
// LAUNCH: global=6x4 local=6x4 args: grid=rand:f32:6x8 rounds=0
kernel void jacobi(global float *grid, int rounds) {
  local float tile[6][8];
  int lx = get_local_id(0), ly = get_local_id(1), x = lx + 1, y = ly + 1;
  int flat = ly * 6 + lx;
  for (int i = flat; i < 48; i += 24)
    tile[i / 8][i % 8] = grid[i];
  for (int r = 0; r < rounds; ++r) {
    barrier(CLK_LOCAL_MEM_FENCE);
    float v = (tile[y][x - 1] + tile[y][x + 1]) + (tile[y - 1][x] + tile[y + 1][x]);
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[y][x] = v * 0.25f;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  grid[y * 8 + x] = tile[y][x];
}
