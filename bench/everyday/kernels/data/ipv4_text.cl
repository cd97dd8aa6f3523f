//: global 32768
//: local 64
//: arg (np.frombuffer(b''.join((b'%d.%d.%d.%d' % tuple(map(int, q))).ljust(16, b'\0') for q in r.integers(0, 256, (32768, 4))), np.uint8).copy()).view(np.int8)
//: arg np.zeros(32768, np.uint32)
// "192.168.0.1" becomes a number; 0 if it is none.
__kernel void parse_ip(__global const char *text, __global uint *ip) {
  size_t gid = get_global_id(0);
  __global const char *s = text + gid * 16;
  uint result = 0, part = 0;
  int dots = 0;
  bool ok = true;
  for (int i = 0; i < 16; i++) {
    char c = s[i];
    if (c == 0) break;
    if (c == '.') {
      result = result << 8 | part;
      part = 0;
      dots++;
    } else if (c >= '0' && c <= '9') {
      part = part * 10 + (c - '0');
      if (part > 255) {
        ok = false;
        break;
      }
    } else {
      ok = false;
      break;
    }
  }
  ip[gid] = ok && dots == 3 ? (result << 8 | part) : 0;
}
