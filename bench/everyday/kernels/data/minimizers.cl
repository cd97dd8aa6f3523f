//: global 65536
//: local 128
//: arg r.integers(0, 4, 65536 + 64, np.uint8)
//: arg np.zeros(65536, np.uint32)
//: arg np.int32(10)
// The least hash of the 11-mers in a window.
uint mix(uint k) {
  k = (k ^ (k >> 15)) * 0x2c1b3c6du;
  k = (k ^ (k >> 12)) * 0x297a2d39u;
  return k ^ (k >> 15);
}

kernel void minimizer(global const uchar *seq, global uint *out, int window) {
  size_t i = get_global_id(0);
  uint best = UINT_MAX, kmer = 0;
  for (int j = 0; j < 10; j++) kmer = (kmer << 2) | seq[i + j];
  for (int w = 0; w < window; w++) {
    kmer = ((kmer << 2) | seq[i + w + 10]) & 0x3fffff;
    best = min(best, mix(kmer));
  }
  out[i] = best;
}
