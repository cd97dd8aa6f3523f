//: global 512 256
//: local 16 16
//: arg r.random(512 * 512, np.float32)
//: arg r.random(512 * 512, np.float32)
//: arg np.zeros(512 * 512, np.float32)
//: arg np.int32(512)
//: arg np.int32(0)
//: arg np.float32(0.5)
// c = a^T or a, scaled, plus b: an argument says which.
#define ROW_MAJOR 0
kernel void add_scaled(global const float *a, global const float *b, global float *c, const int ld,
                       const int order, const float alpha) {
  const int col = get_global_id(0);
  const int row = get_global_id(1);
  const int at = order == ROW_MAJOR ? row * ld + col : col * ld + row;
  c[row * ld + col] = alpha * a[at] + b[row * ld + col];
}
