//: global 512
//: local 32
//: arg r.integers(-8000, 8000, 512, np.int16)
//: arg np.zeros(512, np.float32)
//: arg np.int32(512)
__kernel void goertzel(__constant short *pcm, __global float *power, int n) {
  int k = get_global_id(0);
  float w = 2.0f * M_PI_F * k / n;
  float coeff = 2.0f * cos(w);
  float s0, s1 = 0, s2 = 0;
  for (int i = 0; i < n; i++) {
    s0 = pcm[i] / 32768.0f + coeff * s1 - s2;
    s2 = s1;
    s1 = s0;
  }
  power[k] = s1 * s1 + s2 * s2 - coeff * s1 * s2;
}
