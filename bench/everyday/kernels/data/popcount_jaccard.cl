//: global 16384
//: local 64
//: arg r.integers(0, 1 << 63, (16384, 16), np.uint64)
//: arg r.integers(0, 1 << 63, 16, np.uint64)
//: arg np.zeros(16384, np.float32)
// Similarities of fingerprints of 1024 bits to one of them.
kernel void tanimoto(global const ulong *prints, constant ulong *query, global float *out) {
  int g = get_global_id(0);
  int both = 0, any = 0;
  for (int w = 0; w < 16; w++) {
    ulong a = prints[g * 16 + w], b = query[w];
    both += popcount(a & b);
    any += popcount(a | b);
  }
  out[g] = any ? (float)both / any : 0.0f;
}
