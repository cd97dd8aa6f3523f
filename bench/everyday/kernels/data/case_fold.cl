//: global 32768
//: local 256
//: arg r.integers(32, 127, 16 * 32768, np.uint8)
//: arg np.zeros(16 * 32768, np.uint8)
// Small letters, and the first letter of each word large.
kernel void title(global const uchar16 *in, global uchar16 *out) {
  int i = get_global_id(0);
  uchar16 c = in[i];
  uchar16 low = select(c, (uchar16)(c + (uchar)32), (c >= (uchar)'A') & (c <= (uchar)'Z'));
  uchar16 before = (uchar16)((uchar)' ', low.s0123, low.s4567, low.s89a, low.sbcde);
  char16 start = (before == (uchar)' ') & (low >= (uchar)'a') & (low <= (uchar)'z');
  out[i] = select(low, (uchar16)(low - (uchar)32), start);
}
