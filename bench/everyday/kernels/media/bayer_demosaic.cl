//: global 512 512
//: local 16 16
//: arg r.integers(0, 1024, 512 * 512, np.uint16)
//: arg np.zeros((512 * 512, 4), np.uint16)
//: arg np.int32(512)
//: arg np.int32(512)
#define AT(dx, dy) raw[clamp(y + (dy), 0, h - 1) * w + clamp(x + (dx), 0, w - 1)]
// RGGB
__kernel void demosaic(__global const ushort *raw, __global ushort4 *out, int w, int h) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h) return;
  ushort4 p;
  int c = AT(0, 0);
  int cross = (AT(-1, 0) + AT(1, 0) + AT(0, -1) + AT(0, 1)) / 4;
  int diag = (AT(-1, -1) + AT(1, -1) + AT(-1, 1) + AT(1, 1)) / 4;
  int horiz = (AT(-1, 0) + AT(1, 0)) / 2;
  int vert = (AT(0, -1) + AT(0, 1)) / 2;
  if ((y & 1) == 0) {
    if ((x & 1) == 0) { p.x = c; p.y = cross; p.z = diag; }
    else { p.x = horiz; p.y = c; p.z = vert; }
  } else {
    if ((x & 1) == 0) { p.x = vert; p.y = c; p.z = horiz; }
    else { p.x = diag; p.y = cross; p.z = c; }
  }
  p.w = 1023;
  out[y * w + x] = p;
}
