//: global 256
//: local 64
//: arg r.random(256 * 256, np.float32)
//: arg np.zeros(256 * 8, np.float32)
//: arg np.int32(8)
//: arg np.int32(256)
// The 8 nearest points of each point, of a matrix of distances, by insertion.
#define MOST 32
kernel void n_nearest(global const float *distances, global float *out, int n, int points) {
  const int p = get_global_id(0);
  float nearest[MOST];
  float indices[MOST];
  int initialised = 0;
  for (int y = 0; y < points; y++) {
    float d = distances[p + y * points];
    if (initialised < n) {
      nearest[initialised] = d;
      indices[initialised] = y;
      initialised++;
    }
    for (int i = 0; i < initialised; i++)
      if (nearest[i] > d) {
        for (int j = initialised - 1; j > i; j--) {
          nearest[j] = nearest[j - 1];
          indices[j] = indices[j - 1];
        }
        nearest[i] = d;
        indices[i] = y;
        break;
      }
  }
  for (int i = 0; i < n; i++) out[p + i * points] = indices[i];
}
