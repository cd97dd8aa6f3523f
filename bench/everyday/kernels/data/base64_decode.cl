//: global 65536
//: local 128
//: arg (np.frombuffer(b'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', np.uint8)[r.integers(0, 64, 4 * 65536)].copy()).view(np.int8)
//: arg np.zeros(3 * 65536, np.uint8)
//: arg np.zeros(65536, np.int32)
// Four letters become three bytes; what is no letter is counted.
int value_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return -1;
}

kernel void decode(global const char *text, global uchar *bytes, global int *bad) {
  int q = get_global_id(0), wrong = 0;
  uint word = 0;
  for (int i = 0; i < 4; i++) {
    int v = value_of(text[4 * q + i]);
    if (v < 0) {
      wrong++;
      v = 0;
    }
    word = word << 6 | v;
  }
  bytes[3 * q] = word >> 16;
  bytes[3 * q + 1] = word >> 8;
  bytes[3 * q + 2] = word;
  bad[q] = wrong;
}
