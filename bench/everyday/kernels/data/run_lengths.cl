//: global 4096
//: local 64
//: arg np.repeat(r.integers(0, 4, 65536 * 2, np.uint8), r.integers(1, 6, 65536 * 2))[:64 * 4096].copy()
//: arg np.zeros((4096, 128), np.uint8)
//: arg np.zeros(4096, np.int32)
// Run lengths of each block of 64 bytes: pairs of a count and a byte.
kernel void rle(global const uchar *in, global uchar *out, global int *sizes) {
  uint id = get_global_id(0);
  global const uchar *src = in + id * 64;
  global uchar *dst = out + id * 128;
  uint o = 0, i = 0;
  while (i < 64) {
    uchar v = src[i];
    uint n = 1;
    while (i + n < 64 && src[i + n] == v) n++;
    dst[o++] = (uchar)n;
    dst[o++] = v;
    i += n;
  }
  sizes[id] = o;
}
