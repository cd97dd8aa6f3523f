// A wavefront: the work-items that have something to do change from step to step.
// LAUNCH: global=12 local=12 args: a=rand:i8:12:0:3 b=rand:i8:9:0:3 table=zeros:i32:13x10 n=9
// LAUNCH: global=1 local=1 args: a=rand:i8:1:0:3 b=rand:i8:4:0:3 table=zeros:i32:2x5 n=4
kernel void distance_table(global const char *a, global const char *b, global int *table, int n) {
  int l = get_local_id(0), m = get_local_size(0), row = l + 1, w = n + 1;
  table[row * w] = row;
  if (l == 0)
    for (int j = 0; j <= n; ++j)
      table[j] = j;
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (int step = 0; step < m + n - 1; ++step) {
    int j = step - l + 1;
    if (j >= 1 && j <= n) {
      int change = table[(row - 1) * w + j - 1] + (a[l] != b[j - 1]);
      int gap = min(table[(row - 1) * w + j], table[row * w + j - 1]) + 1;
      table[row * w + j] = min(change, gap);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}
