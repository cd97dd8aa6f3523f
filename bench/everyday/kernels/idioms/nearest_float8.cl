//: global 4096
//: local 64
//: arg r.random(32768, np.float32)
//: arg r.random(2048, np.float32)
//: arg np.zeros(4096, np.int32)
//: arg np.int32(256)
// The eight features are a vector.
kernel void nearest(global const float8 *x, global const float8 *centre, global int *out, int k) {
  uint i = get_global_id(0);
  float8 p = x[i];
  float least = 1e30f;
  int which = 0;
  for (int c = 0; c < k; c++) {
    float8 d = p - centre[c];
    float s = dot(d.lo, d.lo) + dot(d.hi, d.hi);
    if (s < least) { least = s; which = c; }
  }
  out[i] = which;
}
