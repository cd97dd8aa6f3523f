//: global 256 256
//: local 16 16
//: arg np.zeros(65536, np.uint32)
//: arg np.int32(256)
// The distance along Hilbert's curve of each cell.
void rot(int n, int *x, int *y, int rx, int ry) {
  if (ry == 0) {
    if (rx == 1) {
      *x = n - 1 - *x;
      *y = n - 1 - *y;
    }
    int t = *x;
    *x = *y;
    *y = t;
  }
}

kernel void xy2d(global uint *out, int n) {
  int gx = get_global_id(0), gy = get_global_id(1);
  int x = gx, y = gy, rx, ry, d = 0;
  for (int s = n / 2; s > 0; s /= 2) {
    rx = (x & s) > 0;
    ry = (y & s) > 0;
    d += s * s * ((3 * rx) ^ ry);
    rot(n, &x, &y, rx, ry);
  }
  out[gy * n + gx] = d;
}
