//: global 65536
//: local 64
//: arg (np.frombuffer(b'ACGTN', np.uint8)[np.minimum(r.integers(0, 80, 65536 + 32) // 19, 4)].copy()).view(np.int8)
//: arg np.zeros(65536, np.uint64)
//: arg np.int32(21)
//: arg np.int32(65536 + 32)
// The smaller of a k-mer's code and that of its reverse complement; all ones if a base is unknown.
int code(char c) {
  switch (c) {
    case 'A': return 0;
    case 'C': return 1;
    case 'G': return 2;
    case 'T': return 3;
  }
  return -1;
}

__kernel void kmers(__global const char *dna, __global ulong *codes, int k, int n) {
  int i = get_global_id(0);
  if (i + k > n) return;
  ulong fwd = 0, rev = 0;
  for (int j = 0; j < k; j++) {
    int c = code(dna[i + j]);
    if (c < 0) {
      codes[i] = ~0UL;
      return;
    }
    fwd = fwd << 2 | (ulong)c;
    rev |= (ulong)(3 - c) << (2 * j);
  }
  codes[i] = min(fwd, rev);
}
