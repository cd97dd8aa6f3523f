//: global 131072
//: local 256
//: arg r.integers(0, 256, (131072, 4), np.uint8).view([(k, "u1") for k in "bgra"])
//: arg r.integers(0, 256, (131072, 4), np.uint8).view([(k, "u1") for k in "bgra"])
//: arg np.zeros((131072, 4), np.uint8).view([(k, "u1") for k in "bgra"])
//: arg np.float32(60)
typedef struct { uchar b, g, r, a; } bgra;
kernel void key(global const bgra *fg, global const bgra *bg, global bgra *out, float limit) {
  int i = get_global_id(0);
  bgra f = fg[i];
  float dr = f.r - 20.0f, dg = f.g - 200.0f, db = f.b - 40.0f;
  float d = sqrt(dr * dr + dg * dg + db * db);
  if (d < limit)
    out[i] = bg[i];
  else
    out[i] = f;
}
