//: global 16384
//: local 64
//: data L = r.integers(1, 12, 4096)
//: data R = np.concatenate([[0], np.cumsum(L)]).astype(np.int32)
//: arg R
//: arg r.integers(0, 4096, int(R[-1])).astype(np.int32)
//: arg r.random((int(R[-1]), 4, 4), dtype=np.float32)
//: arg r.random(16384, dtype=np.float32)
//: arg np.zeros(16384, np.float32)
// Blocks of 4 x 4: four work-items for each row of blocks.
kernel void bsr4(global const int *rowptr, global const int *bcol, global const float *blocks,
                 global const float *x, global float *y) {
  const int i = get_global_id(0);
  const int brow = i >> 2;
  const int r = i & 3;
  float acc = 0.0f;
  for (int b = rowptr[brow]; b < rowptr[brow + 1]; b++) {
    global const float *m = blocks + b * 16 + r * 4;
    global const float *v = x + bcol[b] * 4;
    acc += m[0] * v[0] + m[1] * v[1] + m[2] * v[2] + m[3] * v[3];
  }
  y[i] = acc;
}
