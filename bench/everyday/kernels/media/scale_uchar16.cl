//: global 65536
//: local 64
//: arg r.integers(0, 256, (65536, 16), np.uint8)
//: arg np.zeros((65536, 16), np.uint8)
//: arg np.float32(1.2)
//: arg np.float32(-10)
kernel void brightness(global const uchar16 *in, global uchar16 *out, float gain, float bias) {
  size_t i = get_global_id(0);
  float16 v = convert_float16(in[i]);
  out[i] = convert_uchar16_sat(v * gain + bias);
}
