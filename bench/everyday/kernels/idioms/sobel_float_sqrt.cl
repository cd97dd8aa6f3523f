//: global 1024 512
//: local 16 16
//: arg r.integers(0, 256, 524288, np.uint8)
//: arg np.zeros(524288, np.uint8)
//: arg np.int32(1024)
//: arg np.int32(512)
// The same by floats and a square root, as tutorials have it.
__kernel void sobel_filter(__global const uchar *src, __global uchar *dst, const uint w, const uint h) {
  uint x = get_global_id(0), y = get_global_id(1);
  if (x >= 1 && x < w - 1 && y >= 1 && y < h - 1) {
    uint c = x + y * w;
    float i00 = convert_float(src[c - 1 - w]), i10 = convert_float(src[c - w]), i20 = convert_float(src[c + 1 - w]);
    float i01 = convert_float(src[c - 1]), i21 = convert_float(src[c + 1]);
    float i02 = convert_float(src[c - 1 + w]), i12 = convert_float(src[c + w]), i22 = convert_float(src[c + 1 + w]);
    float gx = i00 + 2.0f * i10 + i20 - i02 - 2.0f * i12 - i22;
    float gy = i00 - i20 + 2.0f * i01 - 2.0f * i21 + i02 - i22;
    dst[c] = convert_uchar_sat(sqrt(gx * gx + gy * gy) / 2.0f);
  }
}
