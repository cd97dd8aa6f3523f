//: global 65536
//: local 64
//: arg r.integers(0, 256, 3 * 65536, np.uint8)
//: arg np.zeros(4 * 65536, np.uint8).view(np.int8)
//: arg np.uint32(65536)
// Three bytes become four letters.
__constant char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

__kernel void encode(__global const uchar *in, __global char *out, uint triples) {
  uint t = get_global_id(0);
  if (t < triples) {
    uint a = in[3 * t], b = in[3 * t + 1], c = in[3 * t + 2];
    uint v = (a << 16) + (b << 8) + c;
    out[4 * t + 0] = alphabet[(v >> 18) & 63];
    out[4 * t + 1] = alphabet[(v >> 12) & 63];
    out[4 * t + 2] = alphabet[(v >> 6) & 63];
    out[4 * t + 3] = alphabet[v & 63];
  }
}
