// Ids held in small and in signed types, computed indices, strided and reversed accesses.
// LAUNCH: global=32 local=8 args: x=rand:i32:64 y=zeros:i32:32
kernel void indices(global const int *x, global int *y) {
  int i = get_global_id(0);
  uchar small = (uchar)get_local_id(0);
  short n = get_global_size(0);
  uint wraps = (uint)i - 1u;
  y[n - 1 - i] = x[2 * i] - x[2 * i + 1] + small + x[wraps % 64u] + x[(i * i) & 63];
}
