//: global 64 32 32
//: local 16 4 4
//: arg np.zeros(65536, np.float32)
//: arg np.zeros(65536, np.float32)
//: arg np.zeros(65536, np.float32)
//: arg r.random(65536, dtype=np.float32)
//: arg r.random(65536, dtype=np.float32)
//: arg r.random(65536, dtype=np.float32)
//: arg np.uint32(64)
//: arg np.uint32(32)
//: arg np.uint32(32)
//: arg np.float32(0.3)
// One step of the magnetic field on Yee's grid.
#define AT(x, y, z) ((z) * nx * ny + (y) * nx + (x))
kernel void update_h(global float *hx, global float *hy, global float *hz, global const float *ex,
                     global const float *ey, global const float *ez, uint nx, uint ny, uint nz, float c) {
  uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x < nx - 1 && y < ny - 1 && z < nz - 1) {
    uint i = AT(x, y, z);
    hx[i] += c * ((ey[AT(x, y, z + 1)] - ey[i]) - (ez[AT(x, y + 1, z)] - ez[i]));
    hy[i] += c * ((ez[AT(x + 1, y, z)] - ez[i]) - (ex[AT(x, y, z + 1)] - ex[i]));
    hz[i] += c * ((ex[AT(x, y + 1, z)] - ex[i]) - (ey[AT(x + 1, y, z)] - ey[i]));
  }
}
