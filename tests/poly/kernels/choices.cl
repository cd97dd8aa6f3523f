// Ids through conditions: as numbers, and as what chooses.
kernel void f(global int *out, global const int *in, int n, int m) {
  int x = get_global_id(0);
  int a = x < n ? x : n;
  int b = x > m && x < n ? x - m : x == n || x == m + 1 ? 2 : 3;
  int c = (x < n) * 4 + !(x < m);
  short s = (short)(x - n);
  out[x] = in[max(a, 0)] + in[max(b, 0)] * 3 + in[c] * 5 + (s < 0) + (x >= n ? in[x - max(n, 0)] : 0);
}
