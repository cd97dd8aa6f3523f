//: global 128 128
//: local 128 1
//: arg np.zeros(128 * 128, np.float32)
//: arg r.random(128 * 128 * 24, np.float32)
//: arg np.int32(24)
// The standard deviation of each column of a stack, in two passes.
kernel void deviation(global float *dst, global const float *src, int depth) {
  const int x = get_global_id(0), y = get_global_id(1);
  const int w = get_global_size(0), h = get_global_size(1);
  float sum = 0;
  int count = 0;
  for (int z = 0; z < depth; z++) {
    sum = sum + src[x + y * w + z * w * h];
    count++;
  }
  float mean = sum / count;
  sum = 0;
  for (int z = 0; z < depth; z++) {
    float value = src[x + y * w + z * w * h] - mean;
    sum = sum + value * value;
  }
  dst[x + y * w] = sqrt((float)(sum / (count - 1)));
}
