//: global 32768
//: local 64
//: data N = r.integers(3, 40, 32768)
//: arg np.concatenate([[0], np.cumsum(N)]).astype(np.int32)
//: arg r.integers(32, 127, int(N.sum()), np.uint8)
//: arg np.zeros(32768, np.uint32)
//: arg np.int32(32768)
// MurmurHash3 of strings in one array of characters, where offsets say where each begins.
inline uint fmix(uint h) {
  h ^= h >> 16;
  h *= 0x85ebca6b;
  h ^= h >> 13;
  h *= 0xc2b2ae35;
  h ^= h >> 16;
  return h;
}

kernel void murmur3(global const int *offsets, global const uchar *chars, global uint *hashes, int rows) {
  int row = get_global_id(0);
  if (row >= rows) return;
  int begin = offsets[row], len = offsets[row + 1] - begin;
  const uint c1 = 0xcc9e2d51, c2 = 0x1b873593;
  uint h = 42;
  int blocks = len / 4;
  for (int i = 0; i < blocks; i++) {
    global const uchar *p = chars + begin + 4 * i;
    uint k = p[0] | p[1] << 8 | p[2] << 16 | (uint)p[3] << 24;
    k *= c1;
    k = (k << 15) | (k >> 17);
    k *= c2;
    h ^= k;
    h = (h << 13) | (h >> 19);
    h = h * 5 + 0xe6546b64;
  }
  uint k = 0;
  for (int i = (len & 3) - 1; i >= 0; i--) k = k << 8 | chars[begin + 4 * blocks + i];
  if (len & 3) {
    k *= c1;
    k = (k << 15) | (k >> 17);
    k *= c2;
    h ^= k;
  }
  hashes[row] = fmix(h ^ len);
}
