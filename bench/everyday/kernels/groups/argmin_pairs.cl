//: global 262144
//: local 256
//: arg r.random(1 << 20, np.float32)
//: arg np.zeros(1024, np.float32)
//: arg np.zeros(1024, np.uint32)
//: arg np.uint32(1 << 20)
// Where the least element is: strided loop, then a tree of values and places.
__kernel void argmin(__global const float *x, __global float *value, __global uint *place, uint n) {
  __local float v[256];
  __local uint p[256];
  uint lid = get_local_id(0);
  float best = MAXFLOAT;
  uint at = 0;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
    float c = x[i];
    if (c < best) { best = c; at = i; }
  }
  v[lid] = best;
  p[lid] = at;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = get_local_size(0) >> 1; s; s >>= 1) {
    if (lid < s) {
      if (v[lid + s] < v[lid] || (v[lid + s] == v[lid] && p[lid + s] < p[lid])) {
        v[lid] = v[lid + s];
        p[lid] = p[lid + s];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0) { value[get_group_id(0)] = v[0]; place[get_group_id(0)] = p[0]; }
}
