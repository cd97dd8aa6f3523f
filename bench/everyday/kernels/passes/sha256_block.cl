//: global 8192
//: local 64
//: arg r.integers(0, 1 << 32, 8192 * 16).astype(np.uint32)
//: arg np.zeros(8192 * 8, np.uint32)
// SHA-256 of one block for each work-item, every round written out.
#define ROTR(x, n) (((x) >> (n)) | ((x) << (32 - (n))))
#define S0(x) (ROTR(x, 2) ^ ROTR(x, 13) ^ ROTR(x, 22))
#define S1(x) (ROTR(x, 6) ^ ROTR(x, 11) ^ ROTR(x, 25))
#define s0(x) (ROTR(x, 7) ^ ROTR(x, 18) ^ ((x) >> 3))
#define s1(x) (ROTR(x, 17) ^ ROTR(x, 19) ^ ((x) >> 10))
#define ROUND(a, b, c, d, e, f, g, h, k, w) { \
    uint t = h + S1(e) + ((e & f) ^ (~e & g)) + k + (w); \
    d += t; \
    h = t + S0(a) + ((a & b) | (c & (a | b))); }

kernel void sha256_block(global const uint *blocks, global uint *digests) {
  size_t id = get_global_id(0);
  uint w0 = blocks[id * 16 + 0];
  uint w1 = blocks[id * 16 + 1];
  uint w2 = blocks[id * 16 + 2];
  uint w3 = blocks[id * 16 + 3];
  uint w4 = blocks[id * 16 + 4];
  uint w5 = blocks[id * 16 + 5];
  uint w6 = blocks[id * 16 + 6];
  uint w7 = blocks[id * 16 + 7];
  uint w8 = blocks[id * 16 + 8];
  uint w9 = blocks[id * 16 + 9];
  uint w10 = blocks[id * 16 + 10];
  uint w11 = blocks[id * 16 + 11];
  uint w12 = blocks[id * 16 + 12];
  uint w13 = blocks[id * 16 + 13];
  uint w14 = blocks[id * 16 + 14];
  uint w15 = blocks[id * 16 + 15];
  uint a = 0x6a09e667u, b = 0xbb67ae85u, c = 0x3c6ef372u, d = 0xa54ff53au, e = 0x510e527fu, f = 0x9b05688cu, g = 0x1f83d9abu, h = 0x5be0cd19u;
  ROUND(a, b, c, d, e, f, g, h, 0x428a2f98u, w0)
  ROUND(h, a, b, c, d, e, f, g, 0x71374491u, w1)
  ROUND(g, h, a, b, c, d, e, f, 0xb5c0fbcfu, w2)
  ROUND(f, g, h, a, b, c, d, e, 0xe9b5dba5u, w3)
  ROUND(e, f, g, h, a, b, c, d, 0x3956c25bu, w4)
  ROUND(d, e, f, g, h, a, b, c, 0x59f111f1u, w5)
  ROUND(c, d, e, f, g, h, a, b, 0x923f82a4u, w6)
  ROUND(b, c, d, e, f, g, h, a, 0xab1c5ed5u, w7)
  ROUND(a, b, c, d, e, f, g, h, 0xd807aa98u, w8)
  ROUND(h, a, b, c, d, e, f, g, 0x12835b01u, w9)
  ROUND(g, h, a, b, c, d, e, f, 0x243185beu, w10)
  ROUND(f, g, h, a, b, c, d, e, 0x550c7dc3u, w11)
  ROUND(e, f, g, h, a, b, c, d, 0x72be5d74u, w12)
  ROUND(d, e, f, g, h, a, b, c, 0x80deb1feu, w13)
  ROUND(c, d, e, f, g, h, a, b, 0x9bdc06a7u, w14)
  ROUND(b, c, d, e, f, g, h, a, 0xc19bf174u, w15)
  w0 += s0(w1) + w9 + s1(w14);
  ROUND(a, b, c, d, e, f, g, h, 0xe49b69c1u, w0)
  w1 += s0(w2) + w10 + s1(w15);
  ROUND(h, a, b, c, d, e, f, g, 0xefbe4786u, w1)
  w2 += s0(w3) + w11 + s1(w0);
  ROUND(g, h, a, b, c, d, e, f, 0xfc19dc6u, w2)
  w3 += s0(w4) + w12 + s1(w1);
  ROUND(f, g, h, a, b, c, d, e, 0x240ca1ccu, w3)
  w4 += s0(w5) + w13 + s1(w2);
  ROUND(e, f, g, h, a, b, c, d, 0x2de92c6fu, w4)
  w5 += s0(w6) + w14 + s1(w3);
  ROUND(d, e, f, g, h, a, b, c, 0x4a7484aau, w5)
  w6 += s0(w7) + w15 + s1(w4);
  ROUND(c, d, e, f, g, h, a, b, 0x5cb0a9dcu, w6)
  w7 += s0(w8) + w0 + s1(w5);
  ROUND(b, c, d, e, f, g, h, a, 0x76f988dau, w7)
  w8 += s0(w9) + w1 + s1(w6);
  ROUND(a, b, c, d, e, f, g, h, 0x983e5152u, w8)
  w9 += s0(w10) + w2 + s1(w7);
  ROUND(h, a, b, c, d, e, f, g, 0xa831c66du, w9)
  w10 += s0(w11) + w3 + s1(w8);
  ROUND(g, h, a, b, c, d, e, f, 0xb00327c8u, w10)
  w11 += s0(w12) + w4 + s1(w9);
  ROUND(f, g, h, a, b, c, d, e, 0xbf597fc7u, w11)
  w12 += s0(w13) + w5 + s1(w10);
  ROUND(e, f, g, h, a, b, c, d, 0xc6e00bf3u, w12)
  w13 += s0(w14) + w6 + s1(w11);
  ROUND(d, e, f, g, h, a, b, c, 0xd5a79147u, w13)
  w14 += s0(w15) + w7 + s1(w12);
  ROUND(c, d, e, f, g, h, a, b, 0x6ca6351u, w14)
  w15 += s0(w0) + w8 + s1(w13);
  ROUND(b, c, d, e, f, g, h, a, 0x14292967u, w15)
  w0 += s0(w1) + w9 + s1(w14);
  ROUND(a, b, c, d, e, f, g, h, 0x27b70a85u, w0)
  w1 += s0(w2) + w10 + s1(w15);
  ROUND(h, a, b, c, d, e, f, g, 0x2e1b2138u, w1)
  w2 += s0(w3) + w11 + s1(w0);
  ROUND(g, h, a, b, c, d, e, f, 0x4d2c6dfcu, w2)
  w3 += s0(w4) + w12 + s1(w1);
  ROUND(f, g, h, a, b, c, d, e, 0x53380d13u, w3)
  w4 += s0(w5) + w13 + s1(w2);
  ROUND(e, f, g, h, a, b, c, d, 0x650a7354u, w4)
  w5 += s0(w6) + w14 + s1(w3);
  ROUND(d, e, f, g, h, a, b, c, 0x766a0abbu, w5)
  w6 += s0(w7) + w15 + s1(w4);
  ROUND(c, d, e, f, g, h, a, b, 0x81c2c92eu, w6)
  w7 += s0(w8) + w0 + s1(w5);
  ROUND(b, c, d, e, f, g, h, a, 0x92722c85u, w7)
  w8 += s0(w9) + w1 + s1(w6);
  ROUND(a, b, c, d, e, f, g, h, 0xa2bfe8a1u, w8)
  w9 += s0(w10) + w2 + s1(w7);
  ROUND(h, a, b, c, d, e, f, g, 0xa81a664bu, w9)
  w10 += s0(w11) + w3 + s1(w8);
  ROUND(g, h, a, b, c, d, e, f, 0xc24b8b70u, w10)
  w11 += s0(w12) + w4 + s1(w9);
  ROUND(f, g, h, a, b, c, d, e, 0xc76c51a3u, w11)
  w12 += s0(w13) + w5 + s1(w10);
  ROUND(e, f, g, h, a, b, c, d, 0xd192e819u, w12)
  w13 += s0(w14) + w6 + s1(w11);
  ROUND(d, e, f, g, h, a, b, c, 0xd6990624u, w13)
  w14 += s0(w15) + w7 + s1(w12);
  ROUND(c, d, e, f, g, h, a, b, 0xf40e3585u, w14)
  w15 += s0(w0) + w8 + s1(w13);
  ROUND(b, c, d, e, f, g, h, a, 0x106aa070u, w15)
  w0 += s0(w1) + w9 + s1(w14);
  ROUND(a, b, c, d, e, f, g, h, 0x19a4c116u, w0)
  w1 += s0(w2) + w10 + s1(w15);
  ROUND(h, a, b, c, d, e, f, g, 0x1e376c08u, w1)
  w2 += s0(w3) + w11 + s1(w0);
  ROUND(g, h, a, b, c, d, e, f, 0x2748774cu, w2)
  w3 += s0(w4) + w12 + s1(w1);
  ROUND(f, g, h, a, b, c, d, e, 0x34b0bcb5u, w3)
  w4 += s0(w5) + w13 + s1(w2);
  ROUND(e, f, g, h, a, b, c, d, 0x391c0cb3u, w4)
  w5 += s0(w6) + w14 + s1(w3);
  ROUND(d, e, f, g, h, a, b, c, 0x4ed8aa4au, w5)
  w6 += s0(w7) + w15 + s1(w4);
  ROUND(c, d, e, f, g, h, a, b, 0x5b9cca4fu, w6)
  w7 += s0(w8) + w0 + s1(w5);
  ROUND(b, c, d, e, f, g, h, a, 0x682e6ff3u, w7)
  w8 += s0(w9) + w1 + s1(w6);
  ROUND(a, b, c, d, e, f, g, h, 0x748f82eeu, w8)
  w9 += s0(w10) + w2 + s1(w7);
  ROUND(h, a, b, c, d, e, f, g, 0x78a5636fu, w9)
  w10 += s0(w11) + w3 + s1(w8);
  ROUND(g, h, a, b, c, d, e, f, 0x84c87814u, w10)
  w11 += s0(w12) + w4 + s1(w9);
  ROUND(f, g, h, a, b, c, d, e, 0x8cc70208u, w11)
  w12 += s0(w13) + w5 + s1(w10);
  ROUND(e, f, g, h, a, b, c, d, 0x90befffau, w12)
  w13 += s0(w14) + w6 + s1(w11);
  ROUND(d, e, f, g, h, a, b, c, 0xa4506cebu, w13)
  w14 += s0(w15) + w7 + s1(w12);
  ROUND(c, d, e, f, g, h, a, b, 0xbef9a3f7u, w14)
  w15 += s0(w0) + w8 + s1(w13);
  ROUND(b, c, d, e, f, g, h, a, 0xc67178f2u, w15)
  digests[id * 8 + 0] = a + 0x6a09e667u;
  digests[id * 8 + 1] = b + 0xbb67ae85u;
  digests[id * 8 + 2] = c + 0x3c6ef372u;
  digests[id * 8 + 3] = d + 0xa54ff53au;
  digests[id * 8 + 4] = e + 0x510e527fu;
  digests[id * 8 + 5] = f + 0x9b05688cu;
  digests[id * 8 + 6] = g + 0x1f83d9abu;
  digests[id * 8 + 7] = h + 0x5be0cd19u;
}
