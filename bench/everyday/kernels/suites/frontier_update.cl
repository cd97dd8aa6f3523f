//: global 262144
//: local 256
//: arg np.zeros(1 << 18, np.int8)
//: arg (r.random(1 << 18) < 0.02).astype(np.int8)
//: arg np.zeros(1 << 18, np.int8)
//: arg np.zeros(1, np.int8)
//: arg np.int32(250000)
// The second step of a search in a graph by levels: what was found becomes the frontier.
kernel void update_frontier(global char *frontier, global char *found, global char *visited,
                            global char *again, const int n) {
  int i = get_global_id(0);
  if (i < n && found[i]) {
    frontier[i] = true;
    visited[i] = true;
    *again = true;
    found[i] = false;
  }
}
