//: global 262144
//: local 256
//: arg r.integers(-32768, 32767, (240800, 2), np.int16)
//: arg np.zeros((262144, 2), np.int16)
//: arg np.uint32(60211)
//: arg np.uint32(262144)
// Stereo, 44.1 to 48 kHz: a position in 16.16.
kernel void resample(global const short2 *in, global short2 *out, uint step, uint frames) {
  uint i = get_global_id(0);
  if (i >= frames) return;
  ulong pos = (ulong)i * step;
  uint at = pos >> 16;
  int frac = (pos & 0xffff) >> 1;
  short2 a = in[at], b = in[at + 1];
  short2 o;
  o.x = a.x + (((b.x - a.x) * frac) >> 15);
  o.y = a.y + (((b.y - a.y) * frac) >> 15);
  out[i] = o;
}
