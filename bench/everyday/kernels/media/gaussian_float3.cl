//: global 256 192
//: local 16 8
//: arg r.random((256 * 192, 4), np.float32)
//: arg np.zeros((256 * 192, 3), np.float32)
//: arg np.int32(256)
//: arg np.int32(192)
__constant float w5[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
__kernel void gauss5x5(__global const float3 *src, __global float *dst, int cols, int rows) {
  int x = get_global_id(0), y = get_global_id(1);
  float3 s = (float3)(0.0f);
  for (int j = 0; j < 5; j++)
    for (int i = 0; i < 5; i++) {
      int xx = clamp(x + i - 2, 0, cols - 1), yy = clamp(y + j - 2, 0, rows - 1);
      s += src[yy * cols + xx] * (w5[i] * w5[j]);
    }
  vstore3(s, y * cols + x, dst);
}
