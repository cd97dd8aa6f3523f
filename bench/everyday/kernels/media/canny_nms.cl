//: global 512 512
//: local 32 8
//: arg r.random(512 * 512, np.float32)
//: arg r.integers(0, 4, 512 * 512, np.uint8)
//: arg np.zeros(512 * 512, np.uint8)
//: arg np.int32(512)
//: arg np.float32(0.3)
//: arg np.float32(0.8)
__kernel void non_maximum(__global const float *mag, __global const uchar *dir, __global uchar *edges,
                          int w, float lo, float hi) {
  int x = get_global_id(0), y = get_global_id(1);
  int h = get_global_size(1);
  if (x == 0 || y == 0 || x == w - 1 || y == h - 1) { edges[y * w + x] = 0; return; }
  int at = y * w + x;
  float m = mag[at], a, b;
  switch (dir[at]) {
    case 0: a = mag[at - 1]; b = mag[at + 1]; break;
    case 1: a = mag[at - w + 1]; b = mag[at + w - 1]; break;
    case 2: a = mag[at - w]; b = mag[at + w]; break;
    default: a = mag[at - w - 1]; b = mag[at + w + 1]; break;
  }
  uchar e = 0;
  if (m > lo && m >= a && m >= b) e = m > hi ? 255 : 128;
  edges[at] = e;
}
