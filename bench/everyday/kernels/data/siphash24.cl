//: global 16384
//: local 256
//: arg r.integers(0, 256, 48 * 16384, np.uint8)
//: arg r.integers(0, 48, 16384, np.uint32)
//: arg np.zeros(16384, np.uint64)
//: arg np.uint64(0x0706050403020100)
//: arg np.uint64(0x0f0e0d0c0b0a0908)
// SipHash-2-4 of rows of up to 47 bytes.
#define ROTL(x, b) (ulong)(((x) << (b)) | ((x) >> (64 - (b))))
#define SIPROUND                                          \
  do {                                                    \
    v0 += v1; v1 = ROTL(v1, 13); v1 ^= v0; v0 = ROTL(v0, 32); \
    v2 += v3; v3 = ROTL(v3, 16); v3 ^= v2;                \
    v0 += v3; v3 = ROTL(v3, 21); v3 ^= v0;                \
    v2 += v1; v1 = ROTL(v1, 17); v1 ^= v2; v2 = ROTL(v2, 32); \
  } while (0)

__kernel void siphash(__global const uchar *text, __global const uint *length, __global ulong *hash, ulong k0, ulong k1) {
  size_t i = get_global_id(0);
  __global const uchar *in = text + i * 48;
  uint len = length[i];
  ulong v0 = 0x736f6d6570736575UL ^ k0, v1 = 0x646f72616e646f6dUL ^ k1;
  ulong v2 = 0x6c7967656e657261UL ^ k0, v3 = 0x7465646279746573UL ^ k1;
  __global const uchar *end = in + len - (len % 8);
  for (; in != end; in += 8) {
    ulong m = 0;
    for (int b = 0; b < 8; b++) m |= (ulong)in[b] << (8 * b);
    v3 ^= m;
    SIPROUND; SIPROUND;
    v0 ^= m;
  }
  ulong b = (ulong)len << 56;
  switch (len & 7) {
    case 7: b |= (ulong)in[6] << 48;
    case 6: b |= (ulong)in[5] << 40;
    case 5: b |= (ulong)in[4] << 32;
    case 4: b |= (ulong)in[3] << 24;
    case 3: b |= (ulong)in[2] << 16;
    case 2: b |= (ulong)in[1] << 8;
    case 1: b |= (ulong)in[0];
  }
  v3 ^= b;
  SIPROUND; SIPROUND;
  v0 ^= b;
  v2 ^= 0xff;
  SIPROUND; SIPROUND; SIPROUND; SIPROUND;
  hash[i] = v0 ^ v1 ^ v2 ^ v3;
}
