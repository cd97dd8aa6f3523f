//: global 262144
//: local 64
//: arg r.integers(0, 3, 262144, np.uint8)
//: arg np.zeros(4096, np.int32)
//: arg np.int32(64)
// A group for each row, the sum by atomic additions.
kernel void count_runs(global const uchar *data, global int *runs, int m) {
  local int n;
  int l = get_local_id(0), row = get_group_id(0);
  if (l == 0) n = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l > 0 && data[row * m + l] != data[row * m + l - 1]) atomic_inc(&n);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) runs[row] = n;
}
