//: global 512 512
//: local 16 16
//: arg r.integers(0, 4, 512 * 512, np.int32)
//: arg np.zeros(512 * 512, np.int32)
//: arg np.int32(512)
//: arg np.int32(512)
// Counts equal neighbours on a lattice of hexagons, whose odd rows are shifted; nothing is outside.
constant int2 EVEN[6] = {(int2)(1, 0), (int2)(0, -1), (int2)(-1, -1), (int2)(-1, 0), (int2)(-1, 1), (int2)(0, 1)};
constant int2 ODD[6] = {(int2)(1, 0), (int2)(1, -1), (int2)(0, -1), (int2)(-1, 0), (int2)(0, 1), (int2)(1, 1)};
kernel void hexes(global const int *kind, global int *count, int w, int h) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  int mine = kind[p.y * w + p.x], n = 0;
  for (int i = 0; i < 6; i++) {
    int2 q = p + ((p.y & 1) ? ODD[i] : EVEN[i]);
    if (q.x < 0 || q.y < 0 || q.x >= w || q.y >= h) continue;
    if (kind[q.y * w + q.x] == mine) n++;
  }
  count[p.y * w + p.x] = n;
}
