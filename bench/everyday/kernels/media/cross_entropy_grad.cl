//: global 2048
//: local 64
//: arg r.random((2048, 10), np.float32)
//: arg r.integers(0, 10, 2048, np.int32)
//: arg np.zeros((2048, 10), np.float32)
//: arg np.zeros(2048, np.float32)
//: options -D CLASSES=10
__kernel void cross_entropy(__global const float *logits, __global const int *label, __global float *grad, __global float *loss) {
  int b = get_global_id(0);
  float z[CLASSES];
  float m = -1e30f, sum = 0.0f;
  for (int c = 0; c < CLASSES; c++) {
    z[c] = logits[b * CLASSES + c];
    m = fmax(m, z[c]);
  }
  for (int c = 0; c < CLASSES; c++) {
    z[c] = exp(z[c] - m);
    sum += z[c];
  }
  int y = label[b];
  for (int c = 0; c < CLASSES; c++) grad[b * CLASSES + c] = z[c] / sum - (c == y ? 1.0f : 0.0f);
  loss[b] = -log(z[y] / sum);
}
