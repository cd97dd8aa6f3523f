//: global 65536
//: local 64
//: data K = r.permutation(1 << 20)[:9000].astype(np.uint32) + 1
//: data T = (lambda t: [t.__setitem__((lambda h: next(j % 16384 for j in range(h, h + 16384) if t[j % 16384] == 0))(int(k) * 2654435769 % (1 << 32) >> 18), k) for k in K] and t)(np.zeros(16384, np.uint32))
//: arg np.where(r.random(65536) < 0.5, r.choice(K, 65536), r.integers(1, 1 << 20, 65536)).astype(np.uint32)
//: arg T
//: arg r.integers(0, 1 << 30, 16384, np.int32)
//: arg np.zeros(65536, np.int32)
//: arg np.uint32(14)
// Looks keys up in a table with open addresses.
kernel void probe(global const uint *keys, global const uint *slots, global const int *values, global int *found, uint log2size) {
  uint i = get_global_id(0);
  uint key = keys[i];
  uint mask = (1u << log2size) - 1;
  uint h = (key * 2654435769u) >> (32 - log2size);
  while (true) {
    uint k = slots[h];
    if (k == key) {
      found[i] = values[h];
      return;
    }
    if (k == 0) {
      found[i] = -1;
      return;
    }
    h = (h + 1) & mask;
  }
}
