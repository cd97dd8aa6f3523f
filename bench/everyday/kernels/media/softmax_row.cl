//: global 1024
//: local 32
//: arg r.random((1024, 100), np.float32)
//: arg np.zeros((1024, 100), np.float32)
//: arg np.int32(100)
__kernel void softmax(__global const float *logits, __global float *probs, int classes) {
  int r = get_global_id(0);
  const __global float *in = &logits[r * classes];
  __global float *out = &probs[r * classes];
  float m = in[0];
  for (int i = 1; i < classes; i++) m = max(m, in[i]);
  float sum = 0.0f;
  for (int i = 0; i < classes; i++) {
    out[i] = exp(in[i] - m);
    sum += out[i];
  }
  for (int i = 0; i < classes; i++) out[i] /= sum;
}
