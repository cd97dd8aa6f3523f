//: global 16384
//: local 256
//: arg np.zeros((16384, 4), np.float32)
//: arg np.uint64(0x1234567890ABCDEF)
// Philox 4x32-10 and Box-Muller.
typedef struct { uint v[4]; } ctr_t;
ctr_t round1(ctr_t c, uint k0, uint k1) {
  uint h0 = mul_hi(0xD2511F53u, c.v[0]), l0 = 0xD2511F53u * c.v[0];
  uint h1 = mul_hi(0xCD9E8D57u, c.v[2]), l1 = 0xCD9E8D57u * c.v[2];
  ctr_t r = {{h1 ^ c.v[1] ^ k0, l1, h0 ^ c.v[3] ^ k1, l0}};
  return r;
}

kernel void normals(global float4 *out, ulong seed) {
  uint i = get_global_id(0);
  ctr_t c = {{i, 0, 0, 0}};
  uint k0 = (uint)seed, k1 = (uint)(seed >> 32);
  for (int r = 0; r < 10; r++) {
    c = round1(c, k0, k1);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  float u0 = (c.v[0] + 0.5f) * 2.3283064e-10f, u1 = c.v[1] * 2.3283064e-10f;
  float u2 = (c.v[2] + 0.5f) * 2.3283064e-10f, u3 = c.v[3] * 2.3283064e-10f;
  float r0 = sqrt(-2.0f * log(u0)), r1 = sqrt(-2.0f * log(u2));
  out[i] = (float4)(r0 * cos(6.2831853f * u1), r0 * sin(6.2831853f * u1), r1 * cos(6.2831853f * u3), r1 * sin(6.2831853f * u3));
}
