//: global 16384
//: local 64
//: arg (np.frombuffer(b'abcde ', np.uint8)[r.integers(0, 6, 32 * 16384)].copy()).view(np.int8)
//: arg (np.frombuffer(b'%ab_d%ce%', np.uint8).copy()).view(np.int8)
//: arg np.int32(9)
//: arg np.zeros(16384, np.uint8)
// SQL's LIKE with % and _ for rows of 32 characters.
kernel void like(global const char *rows, constant char *pattern, int plen, global uchar *result) {
  int row = get_global_id(0);
  global const char *s = rows + row * 32;
  int i = 0, p = 0, star = -1, mark = 0;
  while (i < 32) {
    if (p < plen && (pattern[p] == '_' || pattern[p] == s[i])) {
      i++;
      p++;
    } else if (p < plen && pattern[p] == '%') {
      star = p++;
      mark = i;
    } else if (star >= 0) {
      p = star + 1;
      i = ++mark;
    } else {
      break;
    }
  }
  if (i < 32) {
    result[row] = 0;
    return;
  }
  while (p < plen && pattern[p] == '%') p++;
  result[row] = p == plen;
}
