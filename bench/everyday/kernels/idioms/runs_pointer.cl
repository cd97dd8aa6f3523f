//: global 4096
//: local 64
//: arg r.integers(0, 3, 262144, np.uint8)
//: arg np.zeros(4096, np.int32)
//: arg np.int32(64)
kernel void count_runs(__global const unsigned char *data, __global int *runs, int m) {
  __global const unsigned char *p = data + get_global_id(0) * m;
  __global const unsigned char *end = p + m;
  unsigned char prev = *p++;
  int count = 1;
  for (; p != end; p++) {
    if (*p == prev) continue;
    prev = *p;
    ++count;
  }
  runs[get_global_id(0)] = count;
}
