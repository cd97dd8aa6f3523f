//: global 128 256
//: local 32 8
//: arg np.where(r.random((256, 256)) < 0.5, 1, -1).astype(np.int8)
//: arg np.uint32(77)
//: arg np.int32(0)
//: arg np.float32(0.44)
// A half step of the Ising model on a torus of 256 x 256.
uint hash(uint x) {
  x ^= x >> 16; x *= 0x7feb352du;
  x ^= x >> 15; x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

kernel void ising(global char *spin, uint seed, int parity, float beta) {
  int n = get_global_size(1);
  int y = get_global_id(1);
  int x = 2 * get_global_id(0) + ((y + parity) & 1);
  int up = spin[((y + n - 1) & (n - 1)) * n + x], down = spin[((y + 1) & (n - 1)) * n + x];
  int left = spin[y * n + ((x + n - 1) & (n - 1))], right = spin[y * n + ((x + 1) & (n - 1))];
  char s = spin[y * n + x];
  float de = 2.0f * s * (up + down + left + right);
  float u = (hash(seed ^ hash(y * n + x)) >> 8) * (1.0f / 16777216.0f);
  if (de <= 0.0f || u < exp(-beta * de)) spin[y * n + x] = -s;
}
