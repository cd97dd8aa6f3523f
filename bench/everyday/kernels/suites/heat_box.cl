//: global 126 126 30
//: local 126 1 1
//: arg np.float32(1 / 6)
//: arg np.float32(1)
//: arg r.random(128 * 128 * 32, np.float32)
//: arg np.zeros(128 * 128 * 32, np.float32)
//: arg np.int32(128)
//: arg np.int32(128)
//: arg np.int32(32)
// One step of heat in a box.
#define AT(nx, ny, i, j, k) ((i) + (nx) * ((j) + (ny) * (k)))
kernel void heat(float c1, float c0, global float *now, global float *next, int nx, int ny, int nz) {
  int i = get_global_id(0) + 1;
  int j = get_global_id(1) + 1;
  int k = get_global_id(2) + 1;
  if (i < nx - 1) {
    next[AT(nx, ny, i, j, k)] =
        c1 * (now[AT(nx, ny, i, j, k + 1)] + now[AT(nx, ny, i, j, k - 1)] +
              now[AT(nx, ny, i, j + 1, k)] + now[AT(nx, ny, i, j - 1, k)] +
              now[AT(nx, ny, i + 1, j, k)] + now[AT(nx, ny, i - 1, j, k)]) -
        now[AT(nx, ny, i, j, k)] * c0;
  }
}
