//: global 262144
//: local 256
//: arg np.frombuffer(b'0123456789abcdefABCDEF', np.uint8)[r.integers(0, 22, 2 * 262144)].copy()
//: arg np.zeros(262144, np.uint8)
// Two digits become a byte.
uchar nibble(uchar c) {
  switch (c) {
    case '0': case '1': case '2': case '3': case '4':
    case '5': case '6': case '7': case '8': case '9':
      return c - '0';
    case 'a': case 'b': case 'c': case 'd': case 'e': case 'f':
      return 10 + c - 'a';
    case 'A': case 'B': case 'C': case 'D': case 'E': case 'F':
      return 10 + c - 'A';
    default:
      return 0;
  }
}

__kernel void unhex(__global const uchar2 *digits, __global uchar *out) {
  size_t i = get_global_id(0);
  uchar2 d = digits[i];
  out[i] = nibble(d.x) << 4 | nibble(d.y);
}
