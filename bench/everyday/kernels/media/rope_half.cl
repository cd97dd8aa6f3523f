//: global 32 256
//: local 32 1
//: arg r.random((256, 64)).astype(np.float16)
//: arg np.float32(10000)
kernel void rope(global half *x, float base) {
  int i = get_global_id(0), pos = get_global_id(1), half_dim = get_global_size(0);
  float theta = pos * pow(base, -(float)i / half_dim);
  float c = cos(theta), s = sin(theta);
  float2 v = vload_half2(pos * half_dim + i, x);
  vstore_half2((float2)(v.x * c - v.y * s, v.x * s + v.y * c), pos * half_dim + i, x);
}
