//: global 256 256
//: local 16 16
//: arg r.random((512 * 512, 4), np.float32)
//: arg np.zeros((256 * 256, 4), np.float32)
//: arg np.zeros((256 * 256, 4), np.float32)
//: arg np.zeros((256 * 256, 4), np.float32)
//: arg np.zeros((256 * 256, 4), np.float32)
//: arg np.int32(256)
// One level of Haar wavelets of four pixels at once, by float8 rows.
kernel void haar(global const float4 *in, global float4 *ll, global float4 *hl, global float4 *lh,
                 global float4 *hh, int width) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  float8 line[2];
  line[0].lo = in[(2 * y) * 2 * width + 2 * x];
  line[0].hi = in[(2 * y) * 2 * width + 2 * x + 1];
  line[1].lo = in[(2 * y + 1) * 2 * width + 2 * x];
  line[1].hi = in[(2 * y + 1) * 2 * width + 2 * x + 1];
  float8 low = (float8)(line[0].lo + line[1].lo, line[0].hi + line[1].hi) / 2.0f;
  float8 high = (float8)(line[0].lo - line[1].lo, line[0].hi - line[1].hi) / 2.0f;
  ll[y * width + x] = (low.odd + low.even) / 2.0f;
  hl[y * width + x] = (low.odd - low.even) / 2.0f + 0.5f;
  lh[y * width + x] = (high.odd + high.even) / 2.0f + 0.5f;
  hh[y * width + x] = (high.odd - high.even) / 2.0f + 0.5f;
}
