//: global 16384
//: local 64
//: arg (r.integers(0, 1 << 63, 8 * 16384, np.uint64)).view([("word", np.uint64, (8,))])
//: arg np.zeros(16384, np.uint64)
// xxHash64 of records of 64 bytes.
#define P1 0x9E3779B185EBCA87UL
#define P2 0xC2B2AE3D27D4EB4FUL
#define P3 0x165667B19E3779F9UL
#define P4 0x85EBCA77C2B2AE63UL
typedef struct { ulong word[8]; } Record;

ulong xx_round(ulong acc, ulong input) {
  acc += input * P2;
  return rotate(acc, 31UL) * P1;
}

ulong merge(ulong h, ulong v) { return (h ^ xx_round(0, v)) * P1 + P4; }

__kernel void xxh64(__global const Record *records, __global ulong *hashes) {
  size_t i = get_global_id(0);
  Record r = records[i];
  ulong v1 = P1 + P2, v2 = P2, v3 = 0, v4 = -P1;
  for (int k = 0; k < 2; k++) {
    v1 = xx_round(v1, r.word[4 * k]);
    v2 = xx_round(v2, r.word[4 * k + 1]);
    v3 = xx_round(v3, r.word[4 * k + 2]);
    v4 = xx_round(v4, r.word[4 * k + 3]);
  }
  ulong h = rotate(v1, 1UL) + rotate(v2, 7UL) + rotate(v3, 12UL) + rotate(v4, 18UL);
  h = merge(h, v1);
  h = merge(h, v2);
  h = merge(h, v3);
  h = merge(h, v4);
  h += sizeof(Record);
  h ^= h >> 33;
  h *= P2;
  h ^= h >> 29;
  h *= P3;
  h ^= h >> 32;
  hashes[i] = h;
}
