//: global 320 240
//: local 16 16
//: arg r.random(320 * 240 * 3, np.float32)
//: arg np.zeros(320 * 240 * 3, np.float32)
//: arg np.int32(320)
//: arg np.int32(240)
//: arg np.int32(3)
// The mean of the pixels of a window that are inside, of interleaved RGB floats.
kernel void box(global const float *img, global float *res, int width, int height, int radius) {
  int x = get_global_id(0), y = get_global_id(1);
  float3 sum = (float3)(0.0f, 0.0f, 0.0f);
  int count = 0;
  for (int j = y - radius; j <= y + radius; j++) {
    for (int i = x - radius; i <= x + radius; i++) {
      if (i < 0 || j < 0 || i >= width || j >= height) continue;
      sum += vload3(j * width + i, img);
      count++;
    }
  }
  vstore3(sum / (float)count, y * width + x, res);
}
