//: global 8192
//: local 64
//: arg r.standard_normal((8192, 4, 4), dtype=np.float32)
//: arg np.zeros((8192, 4, 4), np.float32)
// R of QR of 4 x 4 by Givens rotations.
__kernel void givens(__global const float *in, __global float *out) {
  size_t id = get_global_id(0);
  float r[16];
  for (int i = 0; i < 16; i++) r[i] = in[16 * id + i];
  for (int j = 0; j < 3; j++) {
    for (int i = 3; i > j; i--) {
      float a = r[(i - 1) * 4 + j], b = r[i * 4 + j];
      float c = 1.0f, s = 0.0f;
      if (b != 0.0f) {
        float h = hypot(a, b);
        c = a / h;
        s = -b / h;
      }
      for (int k = 0; k < 4; k++) {
        float u = r[(i - 1) * 4 + k], v = r[i * 4 + k];
        r[(i - 1) * 4 + k] = c * u - s * v;
        r[i * 4 + k] = s * u + c * v;
      }
    }
  }
  for (int i = 0; i < 16; i++) out[16 * id + i] = r[i];
}
