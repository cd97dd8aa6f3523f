//: global 65536
//: local 64
//: data L = r.integers(1, 400, 1024)
//: data R = np.concatenate([[0], np.cumsum(L)]).astype(np.int32)
//: arg R
//: arg r.integers(0, 1024, int(R[-1])).astype(np.int32)
//: arg r.random(int(R[-1]), dtype=np.float32)
//: arg r.random(1024, dtype=np.float32)
//: arg np.zeros(1024, np.float32)
//: arg LocalBytes(256)
// y = A x, a group for each row.
kernel void spmv_group(global const int *off, global const int *cols, global const float *vals,
                       global const float *x, global float *y, local float *red) {
  int row = get_group_id(0);
  int lid = get_local_id(0);
  int lsz = get_local_size(0);
  int begin = off[row], end = off[row + 1];
  float acc = 0.f;
  for (int k = begin + lid; k < end; k += lsz) acc = fma(vals[k], x[cols[k]], acc);
  red[lid] = acc;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int o = lsz / 2; o > 0; o /= 2) {
    if (lid < o) red[lid] += red[lid + o];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0) y[row] = red[0];
}
