//: global 16384
//: local 256
//: arg r.random((16384, 4), dtype=np.float32)
//: arg r.random((16, 4), dtype=np.float32)
//: arg np.zeros(16384, np.int32)
//: arg np.zeros((64, 16), np.int32)
//: arg np.int32(16)
// The nearest of 16 centres, and how many points of the group each has.
kernel void assign(global const float4 *points, global const float4 *centres, global int *label, global int *counts, int k) {
  local float4 c[16];
  local int count[16];
  int lid = get_local_id(0);
  if (lid < k) {
    c[lid] = centres[lid];
    count[lid] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int gid = get_global_id(0);
  float4 p = points[gid];
  int best = 0;
  float dist = FLT_MAX;
  for (int j = 0; j < k; j++) {
    float d = distance(p, c[j]);
    if (d < dist) { dist = d; best = j; }
  }
  label[gid] = best;
  atomic_inc(&count[best]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lid < k) counts[get_group_id(0) * k + lid] = count[lid];
}
