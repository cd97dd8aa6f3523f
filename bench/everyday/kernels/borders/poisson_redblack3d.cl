//: global 32 64 64
//: local 16 4 4
//: arg r.random(64 * 64 * 64, np.float32)
//: arg r.random(64 * 64 * 64, np.float32)
//: arg np.int32(64)
//: arg np.int32(0)
//: arg np.float32(1.2)
// A half sweep of red-black relaxation of a cube, zero outside.
kernel void relax(global float *u, global const float *f, int n, int colour, float omega) {
  int y = get_global_id(1), z = get_global_id(2);
  int x = 2 * get_global_id(0) + ((y + z + colour) & 1);
  int at = (z * n + y) * n + x;
  float s = 0.0f;
  if (x > 0) s += u[at - 1];
  if (x + 1 < n) s += u[at + 1];
  if (y > 0) s += u[at - n];
  if (y + 1 < n) s += u[at + n];
  if (z > 0) s += u[at - n * n];
  if (z + 1 < n) s += u[at + n * n];
  u[at] += omega * ((s - f[at]) / 6.0f - u[at]);
}
