//: global 16384
//: local 64
//: arg r.uniform(-1.5, 1.5, (16384, 3)).astype(np.float32)
//: arg np.concatenate([(lambda v: v / np.linalg.norm(v, axis=1, keepdims=True))(r.standard_normal((40, 3))), np.full((40, 1), -1.0)], 1).astype(np.float32)
//: arg np.uint32(40)
//: arg np.zeros(16384, np.int32)
// Points inside a convex body given by planes.
kernel void inside(global const float *pts, constant float4 *planes, uint count, global int *out) {
  const size_t i = get_global_id(0);
  const float4 p = (float4)(pts[3 * i], pts[3 * i + 1], pts[3 * i + 2], 1.0f);
  int in = 1;
  for (uint k = 0; k < count; ++k) {
    if (dot(planes[k], p) > 0.0f) {
      in = 0;
      break;
    }
  }
  out[i] = in;
}
