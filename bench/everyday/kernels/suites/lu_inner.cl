//: global 496 496
//: local 16 16
//: arg r.random(512 * 512, np.float32)
//: arg LocalBytes(1024)
//: arg LocalBytes(1024)
//: arg np.int32(512)
//: arg np.int32(0)
// The rest of the matrix, after one block of an LU factorisation.
#define B 16
kernel void lu_inner(global float *m, local float *row, local float *column, int n, int offset) {
  int bx = get_group_id(0), by = get_group_id(1);
  int tx = get_local_id(0), ty = get_local_id(1);
  int gr = offset + (by + 1) * B, gc = offset + (bx + 1) * B;
  row[ty * B + tx] = m[(offset + ty) * n + gc + tx];
  column[ty * B + tx] = m[(gr + ty) * n + offset + tx];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int i = 0; i < B; i++) sum += column[ty * B + i] * row[i * B + tx];
  m[(gr + ty) * n + gc + tx] -= sum;
}
