//: global 8192
//: local 64
//: arg (r.integers(1 << 29, 1 << 31, 8192) | 1).astype(np.uint32)
//: arg np.zeros(8192, np.uint32)
// 2 to the power of n - 1 modulo n, by 64-bit products and %.
uint mulmod(uint a, uint b, uint n) { return (uint)((ulong)a * b % n); }

kernel void fermat(global const uint *n, global uint *out) {
  uint i = get_global_id(0), m = n[i], e = m - 1, r = 1, a = 2;
  while (e) {
    if (e & 1) r = mulmod(r, a, m);
    a = mulmod(a, a, m);
    e >>= 1;
  }
  out[i] = r;
}
