//: global 131072
//: local 128
//: arg (r.random(131072) * 4 - 2).astype(np.float16)
//: arg np.zeros(131072, np.float16)
//: arg np.int32(131072)
__kernel void gelu(__global const half *x, __global half *y, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  float v = vload_half(i, x);
  float t = tanh(0.79788456f * (v + 0.044715f * v * v * v));
  vstore_half(0.5f * v * (1.0f + t), i, y);
}
