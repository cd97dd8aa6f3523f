//: global 16384
//: local 64
//: data L = [b'%d,' % int(v) for v in r.integers(-99999, 1000000, 16384)]
//: arg (np.frombuffer(b''.join(L) + b'\0', np.uint8).copy()).view(np.int8)
//: arg np.cumsum([0] + [len(t) for t in L[:-1]]).astype(np.uint32)
//: arg np.zeros(16384, np.int32)
// Numbers of a line of CSV, of which the beginnings are known.
__kernel void atoi(__global const char *line, __global const uint *start, __global int *value) {
  const uint id = get_global_id(0);
  __global const char *p = &line[start[id]];
  int sign = 1, v = 0;
  if (*p == '-') {
    sign = -1;
    p++;
  }
  while (*p >= '0' && *p <= '9') {
    v = 10 * v + *p - '0';
    p++;
  }
  value[id] = sign * v;
}
