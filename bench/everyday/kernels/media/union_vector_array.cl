//: global 131072
//: local 64
//: arg r.random((131072, 4), np.float32)
//: arg np.zeros((131072, 4), np.float32)
//: arg r.random((4, 4), np.float32)
typedef union { float4 v; float e[4]; } vec;
__kernel void color_matrix(__global const float4 *in, __global float4 *out, __constant float *m) {
  int i = get_global_id(0);
  vec p, q;
  p.v = in[i];
  for (int r = 0; r < 4; ++r) {
    q.e[r] = 0.0f;
    for (int c = 0; c < 4; ++c) q.e[r] += m[r * 4 + c] * p.e[c];
  }
  q.v = clamp(q.v, 0.0f, 1.0f);
  out[i] = q.v;
}
