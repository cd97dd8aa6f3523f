//: global 4096
//: local 64
//: arg (r.integers(1 << 20, 1 << 31, 4096) * 2 + 1).astype(np.uint64)
//: arg np.zeros(4096, np.uint8)
// A test for primes below 2^32.
ulong powmod(ulong b, ulong e, ulong m) {
  ulong r = 1;
  b %= m;
  while (e > 0) {
    if (e & 1) r = r * b % m;
    b = b * b % m;
    e >>= 1;
  }
  return r;
}

kernel void primes(global const ulong *n, global uchar *prime) {
  int i = get_global_id(0);
  ulong m = n[i], d = m - 1;
  int s = 0;
  while (!(d & 1)) { d >>= 1; s++; }
  uchar yes = 1;
  ulong base[3] = {2, 7, 61};
  for (int k = 0; k < 3 && yes; k++) {
    ulong x = powmod(base[k], d, m);
    if (x == 1 || x == m - 1) continue;
    int found = 0;
    for (int j = 1; j < s; j++) {
      x = x * x % m;
      if (x == m - 1) { found = 1; break; }
    }
    if (!found) yes = 0;
  }
  prime[i] = yes;
}
