//: global 4096
//: local 64
//: arg r.random((1024, 4), np.float32)
//: arg r.random((4096, 4), np.float32)
//: arg np.zeros((4096, 4), np.float32)
//: arg np.int32(256)
// Forces of bodies, tile by tile in local memory, unrolled by hand by four.
float4 force(float4 a, float4 b, float4 f) {
  float4 d;
  d.x = b.x - a.x;
  d.y = b.y - a.y;
  d.z = b.z - a.z;
  d.w = 0;
  float r2 = d.x * d.x + d.y * d.y + d.z * d.z + 0.01f;
  float inv = rsqrt(r2);
  float s = b.w * inv * inv * inv;
  f.x += d.x * s;
  f.y += d.y * s;
  f.z += d.z * s;
  return f;
}
kernel void forces(global const float4 *sources, global const float4 *bodies, global float4 *out,
                   int n) {
  local float4 tile[64];
  int i = get_global_id(0), l = get_local_id(0);
  float4 me = bodies[i];
  float4 f = (float4)(0.0f, 0.0f, 0.0f, 0.0f);
  for (int t = 0; t < n / 64; t++) {
    tile[l] = sources[t * 64 + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 64;) {
      f = force(me, tile[k++], f);
      f = force(me, tile[k++], f);
      f = force(me, tile[k++], f);
      f = force(me, tile[k++], f);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = f;
}
