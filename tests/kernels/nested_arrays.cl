// Arrays of arrays in private, local and constant memory, partly initialised; rows as pointers;
// pointers to arrays.
// LAUNCH: global=12 local=6 args: x=rand:i32:12 y=zeros:i32:12
constant int cube[2][3][2] = {{{1, 2}, {3, 4}, {5, 6}}, {{7, 8}, {9}}};

int sum_row(const int *row, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += row[i];
  return sum;
}

kernel void arrays(global const int *x, global int *y) {
  local int tile[3][6];
  int grid[3][4] = {{1, 2}, {[2] = 5}};
  int l = get_local_id(0), v = x[get_global_id(0)];
  for (int r = 0; r < 3; ++r) {
    tile[r][l] = v + r;
    grid[r][(l + r) & 3] += v % 10;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int (*row)[4] = grid;
  ++row;
  int sum = sum_row(grid[0], 4) * 100 + sum_row(*row, 4);
  constant int(*page)[2] = cube[l & 1];
  sum += page[l % 3][v & 1] * 10000;
  local int *across = tile[l % 3];
  y[get_global_id(0)] = sum + across[5 - l] * 100000;
}
