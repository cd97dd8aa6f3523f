// Barriers in nested loops; the inner bounds depend on the outer counter.
// LAUNCH: global=32 local=8 args: x=rand:i32:32 y=zeros:i32:32 n=3
// LAUNCH: global=16 local=8 args: x=rand:i32:16 y=zeros:i32:16 n=0
// LAUNCH: global=8 local=8 args: x=rand:i32:8 y=zeros:i32:8 n=5
kernel void nested(global const int *x, global int *y, int n) {
  local int a[8], b[8];
  int l = get_local_id(0);
  int acc = x[get_global_id(0)];
  a[l] = acc;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < n; ++i) {
    int before = acc;
    for (int j = i; j < n; j += 2) {
      b[l] = a[(l + j) & 7] + i;
      barrier(CLK_LOCAL_MEM_FENCE);
      acc += b[(l + 3) & 7] * (j + 1);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int k = 0; k <= i; ++k)
      acc ^= k << (l & 3);
    a[l] = acc - before;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  y[get_global_id(0)] = acc + a[7 - l];
}
