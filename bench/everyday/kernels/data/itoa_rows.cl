//: global 32768
//: local 64
//: arg r.integers(-(1 << 31), 1 << 31, 32768).astype(np.int32) >> r.integers(0, 28, 32768, np.int32)
//: arg np.zeros(12 * 32768, np.uint8).view(np.int8)
// Numbers in decimal, left justified in twelve characters, filled with blanks.
kernel void itoa(global const int *numbers, global char *text) {
  size_t i = get_global_id(0);
  int n = numbers[i];
  uint u = n < 0 ? 0u - (uint)n : (uint)n;
  char buf[12];
  int len = 0;
  do {
    buf[len++] = '0' + u % 10;
    u /= 10;
  } while (u);
  if (n < 0) buf[len++] = '-';
  for (int k = 0; k < 12; k++) text[i * 12 + k] = k < len ? buf[len - 1 - k] : ' ';
}
