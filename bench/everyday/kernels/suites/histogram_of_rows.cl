//: global 256
//: local 64
//: arg r.random(256 * 512, np.float32)
//: arg np.zeros(256 * 64, np.float32)
//: arg np.float32(0)
//: arg np.float32(1)
//: arg np.int32(512)
//: arg np.int32(1)
// A histogram of each row, in a private array that is written to its own part.
#define BINS 64
kernel void histogram_rows(global const float *src, global float *parts, float minimum,
                           float maximum, int w, int step) {
  const int y = get_global_id(0) * step;
  const float range = maximum - minimum;
  uint bins[BINS];
  for (int i = 0; i < BINS; i++) bins[i] = 0;
  for (int x = 0; x < w; x += step) {
    float value = src[y * w + x];
    uint at = (uint)(((value - minimum) / range) * (BINS - 1) + 0.5);
    if (at >= BINS) at = BINS - 1;
    bins[at]++;
  }
  for (int i = 0; i < BINS; i++) parts[get_global_id(0) * BINS + i] = (float)bins[i];
}
