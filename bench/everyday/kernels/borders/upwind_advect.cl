//: global 768 512
//: local 32 8
//: arg r.random(768 * 512, np.float32)
//: arg r.random(768 * 512, np.float32) - 0.5
//: arg r.random(768 * 512, np.float32) - 0.5
//: arg np.zeros(768 * 512, np.float32)
//: arg np.int32(768)
//: arg np.int32(512)
//: arg np.float32(0.1)
// Advection, second order upwind, periodic in x, walls in y.
kernel void advect(global const float *q, global const float *u, global const float *v, global float *r,
                   int nx, int ny, float c) {
  int i = get_global_id(0);
  int j = get_global_id(1);
  int id = j * nx + i;
  int im = i == 0 ? nx - 1 : i - 1;
  int ip = i == nx - 1 ? 0 : i + 1;
  int imm = im == 0 ? nx - 1 : im - 1;
  int ipp = ip == nx - 1 ? 0 : ip + 1;
  int jm = j > 0 ? j - 1 : 0;
  int jp = j < ny - 1 ? j + 1 : ny - 1;
  int jmm = j > 1 ? j - 2 : 0;
  int jpp = j < ny - 2 ? j + 2 : ny - 1;
  float dx = u[id] > 0.0f ? 1.5f * q[id] - 2.0f * q[j * nx + im] + 0.5f * q[j * nx + imm]
                          : -1.5f * q[id] + 2.0f * q[j * nx + ip] - 0.5f * q[j * nx + ipp];
  float dy = v[id] > 0.0f ? 1.5f * q[id] - 2.0f * q[jm * nx + i] + 0.5f * q[jmm * nx + i]
                          : -1.5f * q[id] + 2.0f * q[jp * nx + i] - 0.5f * q[jpp * nx + i];
  r[id] = q[id] - c * (u[id] * dx + v[id] * dy);
}
