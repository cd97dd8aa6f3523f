//: global 131072
//: local 64
//: arg r.random((131072, 4), np.float32)
//: arg np.zeros((131072, 4), np.float32)
//: arg np.zeros((131072, 4), np.uint8)
//: arg np.uint32(1234)
//: arg np.float32(0.3)
uint hash(uint x) {
  x ^= x >> 16; x *= 0x7feb352dU;
  x ^= x >> 15; x *= 0x846ca68bU;
  x ^= x >> 16;
  return x;
}
__kernel void dropout(__global const float4 *in, __global float4 *out, __global uchar4 *mask, uint seed, float p) {
  uint i = get_global_id(0);
  float4 v = in[i];
  float keep = 1.0f / (1.0f - p);
  uchar4 m;
  m.x = (hash(seed ^ (4 * i + 0)) >> 8) * (1.0f / 16777216.0f) >= p;
  m.y = (hash(seed ^ (4 * i + 1)) >> 8) * (1.0f / 16777216.0f) >= p;
  m.z = (hash(seed ^ (4 * i + 2)) >> 8) * (1.0f / 16777216.0f) >= p;
  m.w = (hash(seed ^ (4 * i + 3)) >> 8) * (1.0f / 16777216.0f) >= p;
  v.x = m.x ? v.x * keep : 0.0f;
  v.y = m.y ? v.y * keep : 0.0f;
  v.z = m.z ? v.z * keep : 0.0f;
  v.w = m.w ? v.w * keep : 0.0f;
  out[i] = v;
  mask[i] = m;
}
