//: global 128 128
//: local 16 16
//: arg r.integers(1, 100, (128, 128)).astype(np.int32)
//: arg np.int32(3)
//: arg np.int32(128)
// Third phase of the blocked algorithm of Floyd and Warshall.
#define B 16
__kernel void fw_phase3(__global int *dist, const int k, const int n) {
  __local int rowb[B][B];
  __local int colb[B][B];
  const int bx = get_group_id(0), by = get_group_id(1);
  if (bx == k || by == k) return;
  const int tx = get_local_id(0), ty = get_local_id(1);
  const int x = bx * B + tx, y = by * B + ty;
  rowb[ty][tx] = dist[(k * B + ty) * n + x];
  colb[ty][tx] = dist[y * n + k * B + tx];
  barrier(CLK_LOCAL_MEM_FENCE);
  int best = dist[y * n + x];
  for (int i = 0; i < B; i++) {
    int d = colb[ty][i] + rowb[i][tx];
    if (d < best) best = d;
  }
  dist[y * n + x] = best;
}
