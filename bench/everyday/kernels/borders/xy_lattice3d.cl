//: global 64 64 32
//: local 8 8 4
//: arg 6.28 * r.random(64 * 64 * 32, np.float32)
//: arg np.zeros(64 * 64 * 32, np.float32)
// The energy of each site of a 3-D XY model, the lattice is periodic, sizes are powers of two.
#define LX 64
#define LY 64
#define LZ 32
inline size_t site(size_t x, size_t y, size_t z) { return (z * LY + y) * LX + x; }
__kernel void energy(__global const float *theta, __global float *e) {
  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  size_t xp = (x + 1) % LX, xm = (x + LX - 1) % LX;
  size_t yp = (y + 1) % LY, ym = (y + LY - 1) % LY;
  size_t zp = (z + 1) % LZ, zm = (z + LZ - 1) % LZ;
  float t = theta[site(x, y, z)];
  float sum = native_cos(t - theta[site(xp, y, z)]) + native_cos(t - theta[site(xm, y, z)])
            + native_cos(t - theta[site(x, yp, z)]) + native_cos(t - theta[site(x, ym, z)])
            + native_cos(t - theta[site(x, y, zp)]) + native_cos(t - theta[site(x, y, zm)]);
  e[site(x, y, z)] = -sum;
}
