//: global 128 128
//: local 16 16
//: arg np.zeros((128, 128), np.uint8)
//: arg np.zeros((128, 128), np.float32)
// Newton's method for z^3 = 1: which root, after how many steps.
float2 cmul(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
float2 cdiv(float2 a, float2 b) { return cmul(a, (float2)(b.x, -b.y)) / dot(b, b); }

kernel void newton(global uchar *root, global float *steps) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float2 z = convert_float2(p) / 64.0f - 0.9953f;
  int n;
  for (n = 0; n < 40; n++) {
    float2 z2 = cmul(z, z);
    float2 step = cdiv(cmul(z2, z) - (float2)(1.0f, 0.0f), 3.0f * z2);
    z -= step;
    if (dot(step, step) < 1e-8f) break;
  }
  size_t at = p.y * get_global_size(0) + p.x;
  root[at] = z.x > 0.5f ? 0 : (z.y > 0.0f ? 1 : 2);
  steps[at] = n;
}
