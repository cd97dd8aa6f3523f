//: global 262144
//: local 64
//: arg r.integers(-32768, 32767, 262144, np.int16)
//: arg np.zeros(262144, np.uint8)
uchar linear2ulaw(short pcm) {
  const int BIAS = 0x84, CLIP = 32635;
  int sign = (pcm >> 8) & 0x80;
  int sample = pcm;
  if (sign != 0) sample = -sample;
  if (sample > CLIP) sample = CLIP;
  sample += BIAS;
  int exponent = 7;
  for (int mask = 0x4000; (sample & mask) == 0 && exponent > 0; exponent--, mask >>= 1) {}
  int mantissa = (sample >> (exponent + 3)) & 0x0F;
  return ~(sign | (exponent << 4) | mantissa);
}
__kernel void encode(__global const short *in, __global uchar *out) {
  int i = get_global_id(0);
  out[i] = linear2ulaw(in[i]);
}
