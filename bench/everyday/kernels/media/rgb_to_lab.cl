//: global 65536
//: local 64
//: arg r.integers(0, 256, 65536 * 3, np.uint8)
//: arg np.zeros(65536 * 3, np.float32)
//: arg np.int32(65536)
float linear(uchar c) {
  float v = c / 255.0f;
  if (v > 0.04045f) return pow((v + 0.055f) / 1.055f, 2.4f);
  return v / 12.92f;
}
float f(float t) {
  return t > 0.008856f ? cbrt(t) : 7.787f * t + 16.0f / 116.0f;
}
__kernel void rgb2lab(__global const uchar *rgb, __global float *lab, const int n) {
  int i = get_global_id(0);
  if (i < n) {
    float R = linear(rgb[3 * i]), G = linear(rgb[3 * i + 1]), B = linear(rgb[3 * i + 2]);
    float X = (R * 0.4124f + G * 0.3576f + B * 0.1805f) / 0.95047f;
    float Y = R * 0.2126f + G * 0.7152f + B * 0.0722f;
    float Z = (R * 0.0193f + G * 0.1192f + B * 0.9505f) / 1.08883f;
    float fx = f(X), fy = f(Y), fz = f(Z);
    lab[3 * i + 0] = 116.0f * fy - 16.0f;
    lab[3 * i + 1] = 500.0f * (fx - fy);
    lab[3 * i + 2] = 200.0f * (fy - fz);
  }
}
