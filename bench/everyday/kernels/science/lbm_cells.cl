//: global 16384
//: local 128
//: arg r.random((16384, 9), dtype=np.float32) + np.float32(0.1)
//: arg np.zeros((16384, 9), np.float32)
//: arg np.float32(0.6)
//: arg np.int32(128)
// The same with the nine numbers of a cell together: collide, then push.
kernel void collide_stream(global const float *src, global float *dst, float tau, int w) {
  int id = get_global_id(0);
  int x = id % w, y = id / w;
  if (x == 0 || y == 0 || x == w - 1 || y == w - 1) return;
  global const float *c = src + id * 9;
  float f0 = c[0], f1 = c[1], f2 = c[2], f3 = c[3], f4 = c[4], f5 = c[5], f6 = c[6], f7 = c[7], f8 = c[8];
  float rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
  float u = (f1 + f5 + f8 - f3 - f6 - f7) / rho;
  float v = (f2 + f5 + f6 - f4 - f7 - f8) / rho;
  float k = 1.0f - 1.5f * (u * u + v * v);
  float a = rho / 9.0f, b = rho / 36.0f, t = 1.0f / tau;
  dst[id * 9 + 0] = f0 + t * (4.0f * a * k - f0);
  dst[(id + 1) * 9 + 1] = f1 + t * (a * (k + 3 * u + 4.5f * u * u) - f1);
  dst[(id + w) * 9 + 2] = f2 + t * (a * (k + 3 * v + 4.5f * v * v) - f2);
  dst[(id - 1) * 9 + 3] = f3 + t * (a * (k - 3 * u + 4.5f * u * u) - f3);
  dst[(id - w) * 9 + 4] = f4 + t * (a * (k - 3 * v + 4.5f * v * v) - f4);
  dst[(id + w + 1) * 9 + 5] = f5 + t * (b * (k + 3 * (u + v) + 4.5f * (u + v) * (u + v)) - f5);
  dst[(id + w - 1) * 9 + 6] = f6 + t * (b * (k + 3 * (v - u) + 4.5f * (v - u) * (v - u)) - f6);
  dst[(id - w - 1) * 9 + 7] = f7 + t * (b * (k - 3 * (u + v) + 4.5f * (u + v) * (u + v)) - f7);
  dst[(id - w + 1) * 9 + 8] = f8 + t * (b * (k + 3 * (u - v) + 4.5f * (u - v) * (u - v)) - f8);
}
