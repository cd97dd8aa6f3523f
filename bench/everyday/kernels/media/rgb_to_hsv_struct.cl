//: global 131072
//: local 128
//: arg r.integers(0, 256, (131072, 3), np.uint8).view([(k, "u1") for k in "rgb"])
//: arg np.zeros((131072, 3), np.uint8).view([(k, "u1") for k in "hsv"])
typedef struct { uchar r, g, b; } Rgb;
typedef struct { uchar h, s, v; } Hsv;
__kernel void rgb_to_hsv(__global const Rgb *in, __global Hsv *out) {
  size_t gid = get_global_id(0);
  Rgb p = in[gid];
  uchar mx = max(p.r, max(p.g, p.b));
  uchar mn = min(p.r, min(p.g, p.b));
  Hsv q;
  q.v = mx;
  if (mx == 0) {
    q.h = 0;
    q.s = 0;
    out[gid] = q;
    return;
  }
  int delta = mx - mn;
  q.s = 255 * delta / mx;
  if (delta == 0) {
    q.h = 0;
  } else {
    int h;
    if (mx == p.r) h = 43 * (p.g - p.b) / delta;
    else if (mx == p.g) h = 85 + 43 * (p.b - p.r) / delta;
    else h = 171 + 43 * (p.r - p.g) / delta;
    q.h = (uchar)h;
  }
  out[gid] = q;
}
