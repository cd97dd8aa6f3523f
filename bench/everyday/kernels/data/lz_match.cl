//: global 8192
//: local 64
//: arg r.integers(0, 3, 8192 + 300, np.uint8)
//: arg np.zeros(8192, np.uint8)
//: arg np.zeros(8192, np.uint8)
//: arg np.int32(64)
//: arg np.int32(18)
// The longest match in the window before each place.
__kernel void find_match(__global const uchar *text, __global uchar *length, __global uchar *distance, int window, int longest) {
  int i = get_global_id(0) + window;
  int best = 0, where = 0;
  for (int d = 1; d <= window; d++) {
    int n = 0;
    while (n < longest && text[i + n] == text[i - d + n]) n++;
    if (n > best) {
      best = n;
      where = d;
    }
  }
  length[i - window] = best;
  distance[i - window] = where;
}
