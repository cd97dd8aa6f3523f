//: global 65536
//: local 64
//: arg (np.frombuffer(''.join('%04d-%02d-%02d ' % (y, m, d) for y, m, d in zip(r.integers(1900, 2100, 65536), r.integers(1, 13, 65536), r.integers(1, 29, 65536))).encode(), np.uint8).copy()).view(np.int8)
//: arg np.zeros(65536, np.int32)
// "1999-12-31 " becomes the number of days since 1970.
int digits(global const char *p, int n) {
  int v = 0;
  while (n--) v = v * 10 + (*p++ - '0');
  return v;
}

kernel void parse(global const char *text, global int *days) {
  size_t i = get_global_id(0);
  global const char *p = text + i * 11;
  int y = digits(p, 4), m = digits(p + 5, 2), d = digits(p + 8, 2);
  y -= m <= 2;
  int era = (y >= 0 ? y : y - 399) / 400;
  uint yoe = (uint)(y - era * 400);
  uint doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
  uint doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
  days[i] = era * 146097 + (int)doe - 719468;
}
