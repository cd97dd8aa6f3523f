//: global 512 1024
//: local 32 8
//: arg (2 * r.integers(0, 2, 1024 * 1024) - 1).astype(np.int8)
//: arg r.random(1024 * 512, np.float32)
//: arg np.uint32(1024)
//: arg np.uint32(0)
//: arg np.float32(0.44)
// A half step of an Ising model on a checkerboard with periodic borders.
kernel void sweep(global char *spin, global const float *rnd, uint n, uint colour, float beta) {
  uint i = get_global_id(0);
  uint row = get_global_id(1);
  uint col = 2 * i + ((row + colour) & 1);
  uint north = (row + n - 1) % n;
  uint south = (row + 1) % n;
  uint west = (col + n - 1) % n;
  uint east = (col + 1) % n;
  int s = spin[row * n + col];
  int field = spin[north * n + col] + spin[south * n + col] + spin[row * n + west] + spin[row * n + east];
  float de = 2.0f * s * field;
  if (de <= 0.0f || rnd[row * (n / 2) + i] < exp(-beta * de)) spin[row * n + col] = -s;
}
