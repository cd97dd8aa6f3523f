//: global 128 96
//: local 16 8
//: arg r.random(144 * 112, np.float32)
//: arg r.random(144 * 112, np.float32)
//: arg r.random((128 * 96, 2), np.float32) - np.float32(0.5)
//: arg np.zeros((128 * 96, 2), np.float32)
// One step of a search for the motion of each pixel's window: a 2 x 2 system each.
#define R 3
#define PITCH 144
float between(global const float *im, float x, float y) {
  int ix = (int)floor(x), iy = (int)floor(y);
  float fx = x - ix, fy = y - iy;
  float a = im[iy * PITCH + ix], b = im[iy * PITCH + ix + 1];
  float c = im[(iy + 1) * PITCH + ix], d = im[(iy + 1) * PITCH + ix + 1];
  return mix(mix(a, b, fx), mix(c, d, fx), fy);
}
kernel void track(global const float *first, global const float *second,
                  global const float2 *guess, global float2 *flow) {
  int x = get_global_id(0) + 8, y = get_global_id(1) + 8;
  int id = get_global_id(1) * get_global_size(0) + get_global_id(0);
  float2 v = guess[id];
  float sxx = 0, sxy = 0, syy = 0, sxt = 0, syt = 0;
  for (int j = -R; j <= R; j++) {
    for (int i = -R; i <= R; i++) {
      int at = (y + j) * PITCH + x + i;
      float gx = (first[at + 1] - first[at - 1]) * 0.5f;
      float gy = (first[at + PITCH] - first[at - PITCH]) * 0.5f;
      float dt = first[at] - between(second, x + i + v.x, y + j + v.y);
      sxx += gx * gx;
      sxy += gx * gy;
      syy += gy * gy;
      sxt += gx * dt;
      syt += gy * dt;
    }
  }
  float det = sxx * syy - sxy * sxy;
  if (det > 1e-6f) {
    v.x += (syy * sxt - sxy * syt) / det;
    v.y += (sxx * syt - sxy * sxt) / det;
  }
  flow[id] = v;
}
