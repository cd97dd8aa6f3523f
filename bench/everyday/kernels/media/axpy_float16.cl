//: global 16384
//: local 64
//: arg r.random((16384, 16), np.float32)
//: arg r.random((16384, 16), np.float32)
//: arg np.float32(0.7)
kernel void axpy16(global const float16 *x, global float16 *y, float a) {
  int i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
