//: global 65536
//: local 128
//: arg (r.random((512, 4, 128)) - 0.5).astype(np.float32)
//: arg r.random((512, 128), np.float32)
//: arg np.zeros((512, 128), np.float32)
//: arg np.int32(128)
float sigm(float x) { return 1.0f / (1.0f + exp(-x)); }
__kernel void lstm_cell(__global const float *gates, __global float *c, __global float *h, int hidden) {
  int id = get_global_id(0);
  int b = id / hidden, j = id - b * hidden;
  __global const float *g = gates + b * 4 * hidden;
  float i = sigm(g[j]);
  float f = sigm(g[hidden + j]);
  float cand = tanh(g[2 * hidden + j]);
  float o = sigm(g[3 * hidden + j]);
  float cell = f * c[id] + i * cand;
  c[id] = cell;
  h[id] = o * tanh(cell);
}
