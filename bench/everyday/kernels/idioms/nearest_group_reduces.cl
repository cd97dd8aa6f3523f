//: global 16384
//: local 64
//: arg r.random(1024, np.float32)
//: arg r.random(4096, np.float32)
//: arg np.zeros(256, np.int32)
//: arg np.int32(1024)
// A group for each point; its work-items share the centres and reduce.
kernel void nearest(global const float4 *points, global const float4 *centres, global int *label, int k) {
  local float least[64];
  local int where[64];
  int l = get_local_id(0), g = get_group_id(0);
  float4 p = points[g];
  float best = INFINITY;
  int index = 0;
  for (int c = l; c < k; c += get_local_size(0)) {
    float4 d = p - centres[c];
    float q = d.x * d.x + d.y * d.y + d.z * d.z;
    if (q < best) { best = q; index = c; }
  }
  least[l] = best;
  where[l] = index;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 32; s > 0; s >>= 1) {
    if (l < s && (least[l + s] < least[l] || (least[l + s] == least[l] && where[l + s] < where[l]))) {
      least[l] = least[l + s];
      where[l] = where[l + s];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) label[g] = where[0];
}
