//: global 16384
//: local 64
//: arg r.integers(97, 123, 16 * 16384, np.uint8)
//: arg r.integers(1, 17, 16384, np.int32)
//: arg np.zeros(5 * 16384, np.uint32)
// SHA-1 of words of at most 16 letters.
uint rol(uint x, int n) { return (x << n) | (x >> (32 - n)); }

__kernel void sha1(__global const uchar *words, __global const int *lengths, __global uint *digest) {
  int gid = get_global_id(0);
  int len = lengths[gid];
  uint W[80];
  for (int i = 0; i < 16; i++) W[i] = 0;
  for (int i = 0; i < len; i++) W[i / 4] |= (uint)words[gid * 16 + i] << (24 - 8 * (i % 4));
  W[len / 4] |= 0x80u << (24 - 8 * (len % 4));
  W[15] = len * 8;
  for (int t = 16; t < 80; t++) W[t] = rol(W[t - 3] ^ W[t - 8] ^ W[t - 14] ^ W[t - 16], 1);
  uint a = 0x67452301, b = 0xEFCDAB89, c = 0x98BADCFE, d = 0x10325476, e = 0xC3D2E1F0;
  for (int t = 0; t < 80; t++) {
    uint f, k;
    if (t < 20) {
      f = (b & c) | (~b & d);
      k = 0x5A827999;
    } else if (t < 40) {
      f = b ^ c ^ d;
      k = 0x6ED9EBA1;
    } else if (t < 60) {
      f = (b & c) | (b & d) | (c & d);
      k = 0x8F1BBCDC;
    } else {
      f = b ^ c ^ d;
      k = 0xCA62C1D6;
    }
    uint temp = rol(a, 5) + f + e + k + W[t];
    e = d; d = c; c = rol(b, 30); b = a; a = temp;
  }
  digest[gid * 5] = a + 0x67452301;
  digest[gid * 5 + 1] = b + 0xEFCDAB89;
  digest[gid * 5 + 2] = c + 0x98BADCFE;
  digest[gid * 5 + 3] = d + 0x10325476;
  digest[gid * 5 + 4] = e + 0xC3D2E1F0;
}
