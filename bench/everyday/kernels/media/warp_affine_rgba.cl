//: global 256 256
//: local 16 16
//: arg r.integers(0, 256, (256 * 256, 4), np.uint8)
//: arg np.zeros((256 * 256, 4), np.uint8)
//: arg np.int32(256)
//: arg np.int32(256)
//: arg np.array([0.9, 0.3, -10, -0.3, 0.9, 30], np.float32)
uchar4 fetch(__global const uchar4 *img, int x, int y, int w, int h) {
  if (x < 0 || y < 0 || x >= w || y >= h) return (uchar4)(0, 0, 0, 255);
  return img[y * w + x];
}
__kernel void warp_affine(__global const uchar4 *img, __global uchar4 *out, int w, int h, __constant float *M) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h) return;
  float u = M[0] * x + M[1] * y + M[2];
  float v = M[3] * x + M[4] * y + M[5];
  float fu = floor(u), fv = floor(v);
  int iu = convert_int(fu), iv = convert_int(fv);
  float a = u - fu, b = v - fv;
  float4 p00 = convert_float4(fetch(img, iu, iv, w, h));
  float4 p10 = convert_float4(fetch(img, iu + 1, iv, w, h));
  float4 p01 = convert_float4(fetch(img, iu, iv + 1, w, h));
  float4 p11 = convert_float4(fetch(img, iu + 1, iv + 1, w, h));
  out[y * w + x] = convert_uchar4_sat(mix(mix(p00, p10, a), mix(p01, p11, a), b) + 0.5f);
}
