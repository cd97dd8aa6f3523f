//: global 512 128
//: local 64 1
//: arg r.integers(-32768, 32767, 128 * 256 + 512, np.int16)
//: arg np.zeros((128, 512), np.float32)
//: arg np.int32(256)
kernel void frames(global const short *pcm, global float *out, int hop) {
  int n = get_global_id(0), f = get_global_id(1), size = get_global_size(0);
  float hann = 0.5f - 0.5f * cos(2 * M_PI_F * n / (size - 1));
  out[f * size + n] = pcm[f * hop + n] * (hann / 32768);
}
