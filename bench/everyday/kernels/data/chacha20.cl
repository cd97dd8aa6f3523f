//: global 16384
//: local 128
//: arg r.integers(0, 1 << 32, 12, np.uint32)
//: arg r.integers(0, 1 << 32, 16 * 16384, np.uint32)
//: arg np.uint32(7)
// A block of the stream of ChaCha20 for each work-item, which is added to the text.
#define QR(a, b, c, d)                  \
  a += b; d ^= a; d = rotate(d, 16u);   \
  c += d; b ^= c; b = rotate(b, 12u);   \
  a += b; d ^= a; d = rotate(d, 8u);    \
  c += d; b ^= c; b = rotate(b, 7u);

kernel void chacha20(constant uint *key, global uint *text, uint counter) {
  const size_t id = get_global_id(0);
  uint in[16], x[16];
  in[0] = 0x61707865; in[1] = 0x3320646e; in[2] = 0x79622d32; in[3] = 0x6b206574;
  for (int i = 0; i < 8; ++i) in[4 + i] = key[i];
  in[12] = counter + (uint)id;
  for (int i = 0; i < 3; ++i) in[13 + i] = key[8 + i];
  for (int i = 0; i < 16; ++i) x[i] = in[i];
  for (int i = 20; i > 0; i -= 2) {
    QR(x[0], x[4], x[8], x[12])
    QR(x[1], x[5], x[9], x[13])
    QR(x[2], x[6], x[10], x[14])
    QR(x[3], x[7], x[11], x[15])
    QR(x[0], x[5], x[10], x[15])
    QR(x[1], x[6], x[11], x[12])
    QR(x[2], x[7], x[8], x[13])
    QR(x[3], x[4], x[9], x[14])
  }
  global uint *p = text + id * 16;
  for (int i = 0; i < 16; ++i) p[i] ^= x[i] + in[i];
}
