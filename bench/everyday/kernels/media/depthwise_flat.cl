//: global 100352
//: local 64
//: arg r.random(32 * 56 * 56, np.float32)
//: arg r.random(32 * 9, np.float32)
//: arg np.zeros(32 * 56 * 56, np.float32)
//: arg np.int32(56)
//: arg np.int32(100352)
__kernel void depthwise(__global const float *in, __global const float *k, __global float *out, int size, int total) {
  int index = get_global_id(0);
  if (index >= total) return;
  int w = index % size;
  int h = (index / size) % size;
  int c = index / size / size;
  __global const float *weights = k + c * 9;
  __global const float *plane = in + c * size * size;
  float v = 0;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++) {
      int y = h + i, x = w + j;
      if (y >= 0 && y < size && x >= 0 && x < size) v += *weights * plane[y * size + x];
      weights++;
    }
  out[index] = v;
}
