//: global 4096
//: local 64
//: arg r.random(4096, np.float32)
//: arg r.random(4096, np.float32)
//: arg r.random(4096, np.float32)
//: arg r.random(256, np.float32)
//: arg r.random(256, np.float32)
//: arg r.random(256, np.float32)
//: arg np.zeros(4096, np.int32)
//: arg np.int32(256)
//: arg np.int32(4096)
// Coordinates in arrays of their own.
kernel void nearest(global const float *px, global const float *py, global const float *pz, global const float *cx, global const float *cy, global const float *cz, global int *label, int k, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float best = HUGE_VALF;
    int at = 0, c = 0;
    while (c < k) {
      float dx = px[i] - cx[c], dy = py[i] - cy[c], dz = pz[i] - cz[c];
      float d = fma(dx, dx, fma(dy, dy, dz * dz));
      if (d < best) at = c, best = d;
      c++;
    }
    label[i] = at;
  }
}
