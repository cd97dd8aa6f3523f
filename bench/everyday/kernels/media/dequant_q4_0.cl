//: global 16384
//: local 64
//: data raw = r.integers(0, 256, (16384, 18), np.uint8)
//: data raw = np.where(np.arange(18) == 1, 0x2c, raw).astype(np.uint8)
//: arg raw.view([("d", "f2"), ("qs", "u1", 16)])
//: arg np.zeros(16384 * 32, np.float32)
typedef struct __attribute__((packed)) { half d; uchar qs[16]; } block_q4;
__kernel void dequantize(__global const block_q4 *blocks, __global float *out) {
  int ib = get_global_id(0);
  __global const block_q4 *b = blocks + ib;
  float d = vload_half(0, &b->d);
  __global float *y = out + ib * 32;
  for (int j = 0; j < 16; j++) {
    int q = b->qs[j];
    y[j] = ((q & 0xf) - 8) * d;
    y[j + 16] = ((q >> 4) - 8) * d;
  }
}
