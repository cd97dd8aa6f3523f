//: global 512
//: local 32
//: arg r.integers(0, 256, (512, 16, 20), np.uint8).view([("d", "u2"), ("m", "u2"), ("qs", "u1", 16)])
//: arg r.random(512, np.float32)
//: arg np.zeros(512, np.float32)
//: arg np.int32(16)
typedef struct { ushort d, m; uchar qs[16]; } block_q4_1;
// One row a work-item; the scales as whole numbers, so that no random half is infinite.
kernel void gemv_q4_1(global const block_q4_1 *w, global const float *x, global float *y, int blocks) {
  int row = get_global_id(0);
  float sum = 0;
  for (int b = 0; b < blocks; b++) {
    global const block_q4_1 *q = &w[row * blocks + b];
    float d = q->d * 1e-5f, m = q->m * 1e-5f, s = 0, t = 0;
    for (int j = 0; j < 16; j++) {
      s += (q->qs[j] & 15) * x[b * 32 + j] + (q->qs[j] >> 4) * x[b * 32 + j + 16];
      t += x[b * 32 + j] + x[b * 32 + j + 16];
    }
    sum += d * s + m * t;
  }
  y[row] = sum;
}
