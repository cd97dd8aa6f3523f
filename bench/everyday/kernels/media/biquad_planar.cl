//: global 64
//: local 64
//: arg r.integers(-20000, 20000, 64 * 2048, np.int16)
//: arg np.zeros(64 * 2048, np.int16)
//: arg np.int32(2048)
// Fixed point, one row of 16 bits a channel.
kernel void biquad_q14(global const short *pcm, global short *out, int n) {
  global const short *x = pcm + get_global_id(0) * n;
  global short *y = out + get_global_id(0) * n;
  int x1 = 0, x2 = 0, y1 = 0, y2 = 0;
  while (n--) {
    int s = *x++;
    int acc = 4096 * s + 8192 * x1 + 4096 * x2 + 6000 * y1 - 2500 * y2;
    x2 = x1; x1 = s;
    y2 = y1; y1 = clamp(acc >> 14, -32768, 32767);
    *y++ = (short)y1;
  }
}
