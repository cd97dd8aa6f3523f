//: global 2048
//: local 64
//: data A = r.random((2048, 2048)) < 0.01
//: data R = np.concatenate([[0], np.cumsum(A.sum(1))]).astype(np.int32)
//: arg R
//: arg np.nonzero(A)[1].astype(np.int32)
//: arg np.zeros(2048, np.int32)
//: arg np.int32(2048)
// Triangles at each vertex: sorted lists of neighbours are merged.
kernel void count_triangles(global const int *xadj, global const int *adj, global int *out, int n) {
  int u = get_global_id(0);
  if (u >= n) return;
  int count = 0;
  for (int e = xadj[u]; e < xadj[u + 1]; e++) {
    int v = adj[e];
    int i = xadj[u], j = xadj[v];
    int iend = xadj[u + 1], jend = xadj[v + 1];
    while (i < iend && j < jend) {
      int a = adj[i], b = adj[j];
      if (a == b) { count++; i++; j++; }
      else if (a < b) i++;
      else j++;
    }
  }
  out[u] = count;
}
