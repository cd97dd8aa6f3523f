//: global 80 360
//: local 16 4
//: arg r.integers(100, 140, 648 * 360, np.uint8)
//: arg np.int32(648)
//: arg np.int32(30)
//: arg np.int32(12)
//: arg np.int32(4)
// Edges at x = 8, 16, ..., in place: each work-item changes three pixels on each side of one edge.
__kernel void deblock(__global uchar *img, int stride, int alpha, int beta, int tc0) {
  int edge = get_global_id(0) + 1;
  int y = get_global_id(1);
  __global uchar *p = img + y * stride + edge * 8;
  int p0 = p[-1], p1 = p[-2], p2 = p[-3];
  int q0 = p[0], q1 = p[1], q2 = p[2];
  if (abs(p0 - q0) < alpha && abs(p1 - p0) < beta && abs(q1 - q0) < beta) {
    int tc = tc0;
    if (abs(p2 - p0) < beta) {
      p[-2] = p1 + clamp((p2 + ((p0 + q0 + 1) >> 1) - (p1 << 1)) >> 1, -tc0, tc0);
      tc++;
    }
    if (abs(q2 - q0) < beta) {
      p[1] = q1 + clamp((q2 + ((p0 + q0 + 1) >> 1) - (q1 << 1)) >> 1, -tc0, tc0);
      tc++;
    }
    int delta = clamp((((q0 - p0) << 2) + (p1 - q1) + 4) >> 3, -tc, tc);
    p[-1] = clamp(p0 + delta, 0, 255);
    p[0] = clamp(q0 - delta, 0, 255);
  }
}
