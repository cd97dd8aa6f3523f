//: global 4096
//: local 64
//: arg np.frombuffer(b'abcdefgh  \n,', np.uint8)[r.integers(0, 12, 128 * 4096)].copy()
//: arg np.zeros((4096, 3), np.int32)
// Lines, words and letters of each chunk.
bool space(uchar c) { return c == ' ' || c == '\n' || c == '\t'; }

kernel void wc(global const uchar *text, global int *counts) {
  uint g = get_global_id(0);
  global const uchar *p = text + g * 128, *end = p + 128;
  int lines = 0, words = 0, letters = 0;
  bool inside = false;
  while (p < end) {
    uchar c = *p++;
    if (c == '\n') lines++;
    if (space(c)) {
      inside = false;
    } else {
      if (!inside) words++;
      inside = true;
      if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) letters++;
    }
  }
  counts[g * 3] = lines;
  counts[g * 3 + 1] = words;
  counts[g * 3 + 2] = letters;
}
