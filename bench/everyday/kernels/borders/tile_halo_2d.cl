//: global 512 512
//: local 16 16
//: arg r.random(512 * 512, np.float32)
//: arg np.zeros(512 * 512, np.float32)
//: arg np.int32(512)
//: arg np.int32(512)
// A median of 3 x 3 over a tile with a halo, which threads at the edges of a group load, zeros outside.
#define B 16
float at(global const float *img, int x, int y, int w, int h) {
  return (x >= 0 && x < w && y >= 0 && y < h) ? img[y * w + x] : 0.0f;
}
#define SORT(a, b) { float t = min(a, b); b = max(a, b); a = t; }
kernel void median(global const float *img, global float *res, int w, int h) {
  local float s[B + 2][B + 2];
  int tx = get_local_id(0) + 1, ty = get_local_id(1) + 1;
  int x = get_global_id(0), y = get_global_id(1);
  s[ty][tx] = at(img, x, y, w, h);
  if (tx == 1) s[ty][0] = at(img, x - 1, y, w, h);
  if (tx == B) s[ty][B + 1] = at(img, x + 1, y, w, h);
  if (ty == 1) {
    s[0][tx] = at(img, x, y - 1, w, h);
    if (tx == 1) s[0][0] = at(img, x - 1, y - 1, w, h);
    if (tx == B) s[0][B + 1] = at(img, x + 1, y - 1, w, h);
  }
  if (ty == B) {
    s[B + 1][tx] = at(img, x, y + 1, w, h);
    if (tx == 1) s[B + 1][0] = at(img, x - 1, y + 1, w, h);
    if (tx == B) s[B + 1][B + 1] = at(img, x + 1, y + 1, w, h);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float a = s[ty - 1][tx - 1], b = s[ty - 1][tx], c = s[ty - 1][tx + 1];
  float d = s[ty][tx - 1], e = s[ty][tx], f = s[ty][tx + 1];
  float g = s[ty + 1][tx - 1], i = s[ty + 1][tx], j = s[ty + 1][tx + 1];
  SORT(b, c) SORT(e, f) SORT(i, j)
  SORT(a, b) SORT(d, e) SORT(g, i)
  SORT(b, c) SORT(e, f) SORT(i, j)
  a = max(max(a, d), g);
  c = min(min(c, f), j);
  SORT(b, e) SORT(e, i)
  e = max(b, min(e, i));
  SORT(a, e)
  e = max(a, min(e, c));
  if (x < w && y < h) res[y * w + x] = e;
}
