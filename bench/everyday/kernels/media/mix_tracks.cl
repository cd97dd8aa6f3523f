//: global 32768
//: local 128
//: arg r.integers(-32768, 32767, (8, 65536), np.int16)
//: arg np.array([0.5, 0.3, 0.9, 0.2, 0.7, 0.1, 0.4, 0.6], np.float32)
//: arg np.zeros(65536, np.int16)
//: arg np.int32(8)
//: arg np.int32(65536)
// Two samples a work-item.
__kernel void mix_tracks(__global const short *tracks, __constant float *gain, __global short *out, int count, int length) {
  int i = get_global_id(0);
  float2 acc = 0.0f;
  for (int t = 0; t < count; t++) {
    short2 s = vload2(i, tracks + t * length);
    acc.x += s.x * gain[t];
    acc.y += s.y * gain[t];
  }
  vstore2(convert_short2_sat(acc), i, out);
}
