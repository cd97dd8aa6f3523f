//: global 640 480
//: local 64 1
//: arg r.integers(0, 256, 640 * 480, np.uint8)
//: arg r.integers(0, 256, 640 * 480, np.uint8)
//: arg np.zeros(640 * 480, np.uint8)
__kernel void deinterlace(__global const uchar *prev, __global const uchar *cur, __global uchar *out) {
  size_t x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
  size_t i = y * w + x;
  if (y % 2 == 0 || y == h - 1) { out[i] = cur[i]; return; }
  uchar up = cur[i - w], down = cur[i + w], old = prev[i];
  uchar lo = min(up, down), hi = max(up, down);
  int moved = abs_diff(old, cur[i]);
  out[i] = moved < 10 ? cur[i] : (old < lo ? lo : (old > hi ? hi : old));
}
