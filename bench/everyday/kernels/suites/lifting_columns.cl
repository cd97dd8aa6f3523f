//: global 2048 64
//: local 64 1
//: arg r.integers(0, 256, 2048 * 512, np.int32)
//: arg np.zeros(2048 * 512, np.int32)
//: arg np.int32(2048)
//: arg np.int32(8)
// One level of a reversible wavelet: columns in local memory, then rows of the same tile.
#define WIDTH 64
#define ROWS 10
typedef struct {
  int width, rows, stride;
  int data[ROWS * (WIDTH + 2)];
} Tile;
void predict(local Tile *t, int column) {
  for (int r = 1; r + 1 < t->rows; r += 2)
    t->data[column + r * t->stride] -=
        (t->data[column + (r - 1) * t->stride] + t->data[column + (r + 1) * t->stride]) / 2;
}
void update(local Tile *t, int column) {
  for (int r = 2; r + 1 < t->rows; r += 2)
    t->data[column + r * t->stride] +=
        (t->data[column + (r - 1) * t->stride] + t->data[column + (r + 1) * t->stride] + 2) / 4;
}
kernel void lift(global const int *restrict in, global int *restrict out, const int width,
                 const int rows) {
  local Tile tile;
  tile.width = WIDTH;
  tile.rows = ROWS;
  tile.stride = WIDTH + 2;
  int lx = get_local_id(0);
  int x = get_group_id(0) * WIDTH + lx;
  int y = get_group_id(1) * rows;
  int height = get_num_groups(1) * rows;
  for (int r = 0; r < ROWS; r++) {
    int from = y + r;
    if (from >= height) from = 2 * height - 2 - from;
    tile.data[lx + r * tile.stride] = in[from * width + x];
  }
  predict(&tile, lx);
  update(&tile, lx);
  barrier(CLK_LOCAL_MEM_FENCE);
  int steps = (WIDTH / 2) - 1;
  for (int i = lx; i < steps * rows; i += WIDTH) {
    int r = i / steps, c = 1 + 2 * (i % steps);
    local int *row = tile.data + r * tile.stride;
    row[c] -= (row[c - 1] + row[c + 1]) / 2;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int r = 0; r < rows; r++) {
    int low = r & 1;
    int to = low ? height / 2 + y / 2 + r / 2 : y / 2 + r / 2;
    out[to * width + x] = tile.data[lx + r * tile.stride];
  }
}
