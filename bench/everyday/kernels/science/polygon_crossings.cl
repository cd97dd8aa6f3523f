//: global 8192
//: local 64
//: data T = np.linspace(0, 6.28, 97)
//: arg r.uniform(-2, 2, (8192, 2)).astype(np.float32)
//: arg np.stack([np.cos(T) * (1 + 0.5 * np.sin(7 * T)), np.sin(T) * (1 + 0.5 * np.sin(7 * T))], 1).astype(np.float32)
//: arg np.int32(97)
//: arg np.zeros(8192, np.uint8)
// Which points are in a polygon.
kernel void pnpoly(global const float2 *pts, global const float2 *poly, int nvert, global uchar *inside) {
  size_t gid = get_global_id(0);
  float2 p = pts[gid];
  int c = 0;
  for (int i = 0, j = nvert - 1; i < nvert; j = i++) {
    if (((poly[i].y > p.y) != (poly[j].y > p.y)) &&
        (p.x < (poly[j].x - poly[i].x) * (p.y - poly[i].y) / (poly[j].y - poly[i].y) + poly[i].x))
      c = !c;
  }
  inside[gid] = c;
}
