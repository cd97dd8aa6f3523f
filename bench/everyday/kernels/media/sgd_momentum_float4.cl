//: global 65536
//: local 64
//: arg r.random((65536, 4), np.float32)
//: arg r.random((65536, 4), np.float32)
//: arg r.random((65536, 4), np.float32)
//: arg np.float32(0.01)
//: arg np.float32(0.9)
kernel void sgd(global float4 *w, global const float4 *g, global float4 *m, float lr, float mu) {
  size_t i = get_global_id(0);
  m[i] = mu * m[i] + g[i];
  w[i] -= lr * (g[i] + mu * m[i]);
}
