//: global 56 56 16
//: local 8 8 1
//: arg r.random(16 * 112 * 112, np.float32)
//: arg np.zeros(16 * 56 * 56, np.float32)
//: arg np.zeros(16 * 56 * 56, np.int32)
//: arg np.int32(112)
//: arg np.int32(112)
//: arg np.int32(3)
//: arg np.int32(2)
//: arg np.int32(1)
// Pooling of the largest, with its position for the way back.
__kernel void maxpool_where(__global const float *x, __global float *y, __global int *at,
                            int h, int w, int k, int stride, int pad) {
  int ox = get_global_id(0), oy = get_global_id(1), c = get_global_id(2);
  int ow = get_global_size(0), oh = get_global_size(1);
  int ys = oy * stride - pad, xs = ox * stride - pad;
  int ye = min(ys + k, h), xe = min(xs + k, w);
  ys = max(ys, 0);
  xs = max(xs, 0);
  float best = -FLT_MAX;
  int where = -1;
  x += c * h * w;
  for (int j = ys; j < ye; ++j)
    for (int i = xs; i < xe; ++i)
      if (x[j * w + i] > best) {
        best = x[j * w + i];
        where = j * w + i;
      }
  y[(c * oh + oy) * ow + ox] = best;
  at[(c * oh + oy) * ow + ox] = where;
}
