//: global 256 256
//: local 8 8
//: arg r.integers(0, 256, 256 * 256, np.uint8)
//: arg np.array([[np.sqrt((1 if k == 0 else 2) / 8) * np.cos((2 * i + 1) * k * np.pi / 16) for i in range(8)] for k in range(8)]).astype(np.float32)
//: arg (1 + np.arange(64)).astype(np.uint16)
//: arg np.zeros(256 * 256, np.int16)
//: arg np.int32(256)
// Transform and quantization of a JPEG encoder.
__kernel void dct_quant(__global const uchar *img, __constant float *basis, __constant ushort *q, __global short *out, int stride) {
  __local float a[8][8], b[8][8];
  const int u = get_local_id(0), v = get_local_id(1);
  const int x = get_global_id(0), y = get_global_id(1);
  a[v][u] = (float)img[y * stride + x] - 128.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  float s = 0;
  for (int k = 0; k < 8; k++) s += a[v][k] * basis[u * 8 + k];
  b[v][u] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  s = 0;
  for (int k = 0; k < 8; k++) s += b[k][u] * basis[v * 8 + k];
  out[y * stride + x] = convert_short_rte(s / q[v * 8 + u]);
}
