//: global 16384
//: local 64
//: data T = r.integers(0, 1 << 32, 256, np.uint32)
//: arg r.integers(0, 1 << 32, 4 * 16384, np.uint32)
//: arg np.zeros(4 * 16384, np.uint32)
//: arg r.integers(0, 1 << 32, 44, np.uint32)
//: arg T
//: arg r.integers(0, 256, 256, np.uint8)
// Ten rounds of a block cipher with one table in local memory, a block of 16 bytes for each work-item.
#define ROR(x, n) rotate((x), (uint)(32 - (n)))
#define BYTE(x, n) (((x) >> (8 * (n))) & 0xff)
__kernel void aes_encrypt(__global const uint4 *in, __global uint4 *out, __constant uint *rk,
                          __global const uint *Te, __global const uchar *sbox) {
  __local uint T[256];
  __local uchar S[256];
  for (int k = get_local_id(0); k < 256; k += get_local_size(0)) {
    T[k] = Te[k];
    S[k] = sbox[k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  size_t gid = get_global_id(0);
  uint4 b = in[gid];
  uint s0 = b.x ^ rk[0], s1 = b.y ^ rk[1], s2 = b.z ^ rk[2], s3 = b.w ^ rk[3];
  for (int round = 1; round < 10; ++round) {
    uint t0 = T[BYTE(s0, 0)] ^ ROR(T[BYTE(s1, 1)], 24) ^ ROR(T[BYTE(s2, 2)], 16) ^ ROR(T[BYTE(s3, 3)], 8) ^ rk[4 * round];
    uint t1 = T[BYTE(s1, 0)] ^ ROR(T[BYTE(s2, 1)], 24) ^ ROR(T[BYTE(s3, 2)], 16) ^ ROR(T[BYTE(s0, 3)], 8) ^ rk[4 * round + 1];
    uint t2 = T[BYTE(s2, 0)] ^ ROR(T[BYTE(s3, 1)], 24) ^ ROR(T[BYTE(s0, 2)], 16) ^ ROR(T[BYTE(s1, 3)], 8) ^ rk[4 * round + 2];
    uint t3 = T[BYTE(s3, 0)] ^ ROR(T[BYTE(s0, 1)], 24) ^ ROR(T[BYTE(s1, 2)], 16) ^ ROR(T[BYTE(s2, 3)], 8) ^ rk[4 * round + 3];
    s0 = t0; s1 = t1; s2 = t2; s3 = t3;
  }
#define LAST(a, b, c, d, k) ((uint)S[BYTE(a, 0)] | (uint)S[BYTE(b, 1)] << 8 | (uint)S[BYTE(c, 2)] << 16 | (uint)S[BYTE(d, 3)] << 24) ^ rk[40 + k]
  out[gid] = (uint4)(LAST(s0, s1, s2, s3, 0), LAST(s1, s2, s3, s0, 1), LAST(s2, s3, s0, s1, 2), LAST(s3, s0, s1, s2, 3));
}
