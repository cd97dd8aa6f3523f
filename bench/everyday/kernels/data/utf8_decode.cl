//: global 4096
//: local 64
//: arg np.frombuffer(''.join(chr(int(c)) for c in np.where(r.random(32 * 4096) < 0.6, r.integers(32, 127, 32 * 4096), r.integers(0xa0, 0x2fff, 32 * 4096))).encode('utf-32-le'), np.uint32).copy()
//: arg np.zeros(4 * 32 * 4096, np.uint8)
//: arg np.zeros(4096, np.int32)
// Writes 32 characters each as UTF-8, and how many bytes they took.
int put(global uchar *p, uint c) {
  if (c < 0x80) {
    *p = c;
    return 1;
  } else if (c < 0x800) {
    *p++ = 0xC0 | (c >> 6);
    *p = 0x80 | (c & 0x3F);
    return 2;
  } else if (c < 0x10000) {
    *p++ = 0xE0 | (c >> 12);
    *p++ = 0x80 | ((c >> 6) & 0x3F);
    *p = 0x80 | (c & 0x3F);
    return 3;
  }
  *p++ = 0xF0 | (c >> 18);
  *p++ = 0x80 | ((c >> 12) & 0x3F);
  *p++ = 0x80 | ((c >> 6) & 0x3F);
  *p = 0x80 | (c & 0x3F);
  return 4;
}

kernel void to_utf8(global const uint *in, global uchar *out, global int *used) {
  int g = get_global_id(0);
  global uchar *p = out + g * 128;
  for (int i = 0; i < 32; i++) p += put(p, in[g * 32 + i]);
  used[g] = p - (out + g * 128);
}
