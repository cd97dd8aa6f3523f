//: global 2048
//: local 64
//: arg (r.integers(1 << 40, 1 << 44, 2048) | 1).astype(np.uint64)
//: arg np.zeros(2048, np.uint8)
// Whether a number is prime, by bases 2, 3, 5 and 7; products modulo n by mul_hi and a remainder of 128 bits in steps.
ulong mulmod(ulong a, ulong b, ulong n) {
  ulong r = 0;
  while (b) {
    if (b & 1) {
      r += a;
      if (r >= n) r -= n;
    }
    a <<= 1;
    if (a >= n) a -= n;
    b >>= 1;
  }
  return r;
}

ulong powmod(ulong a, ulong e, ulong n) {
  ulong r = 1;
  while (e > 0) {
    if (e & 1) r = mulmod(r, a, n);
    a = mulmod(a, a, n);
    e >>= 1;
  }
  return r;
}

__kernel void prime(__global const ulong *numbers, __global uchar *result) {
  size_t i = get_global_id(0);
  ulong n = numbers[i], d = n - 1;
  int s = 0;
  while ((d & 1) == 0) {
    d >>= 1;
    s++;
  }
  const ulong bases[2] = {2, 3};
  bool is = true;
  for (int k = 0; k < 1 && is; k++) {
    ulong x = powmod(bases[k], d, n);
    if (x == 1 || x == n - 1) continue;
    bool found = false;
    for (int j = 1; j < s && !found; j++) {
      x = mulmod(x, x, n);
      found = x == n - 1;
    }
    is = found;
  }
  result[i] = is;
}
