// A matrix product in which a work-item computes 2 x 3 elements, whose sums live across barriers
// in an array of arrays, and one row of which goes through another array in steps of two.
// LAUNCH: global=8x8 local=4x4 args: a=rand:i32:256 b=rand:i32:384 c=zeros:i32:384 n=16
kernel void register_tile(global const int *a, global const int *b, global int *c, int n) {
  local int as[8][4], bs[4][12];
  int lx = get_local_id(0), ly = get_local_id(1), w = 24;
  int x = get_group_id(0) * 12 + lx, y = get_group_id(1) * 8 + ly;
  int sum[2][3], row[4];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++) sum[i][j] = i - j;
  for (int t = 0; t < n; t += 4) {
    for (int i = 0; i < 2; i++) as[ly + 4 * i][lx] = a[(y + 4 * i) * n + t + lx];
    for (int j = 0; j < 3; j++) bs[ly][lx + 4 * j] = b[(t + ly) * w + x + 4 * j];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 4; k += 2) {
      row[k] = as[ly][k];
      row[k + 1] = as[ly][k + 1];
    }
    for (int k = 0; k < 4; k++)
      for (int j = 0; j < 3; j++) {
        sum[0][j] += row[k] * bs[k][lx + 4 * j];
        if (row[k] != 7) sum[1][j] += as[ly + 4][k] * bs[k][lx + 4 * j];
      }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++) c[(y + 4 * i) * w + x + 4 * j] = sum[i][j];
}
