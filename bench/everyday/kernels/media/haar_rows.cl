//: global 256 256
//: local 64 4
//: arg r.integers(-100, 100, 512 * 256, np.int16)
//: arg np.zeros(512 * 256, np.int16)
// Low frequencies in the left half, high ones in the right half.
kernel void haar(global const short2 *in, global short *out) {
  uint x = get_global_id(0), y = get_global_id(1), half_w = get_global_size(0);
  short2 p = in[y * half_w + x];
  out[y * half_w * 2 + x] = (p.x + p.y) >> 1;
  out[y * half_w * 2 + half_w + x] = p.x - p.y;
}
