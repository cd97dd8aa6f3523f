//: global 262144
//: local 128
//: arg r.random(1 << 18, np.float32)
//: arg (r.random(1 << 18) < 0.1).astype(np.int32)
//: arg np.zeros(1 << 18, np.float32)
// Segmented inclusive scan with head flags.
__kernel void seg_scan(__global const float *val, __global const int *head, __global float *out) {
  __local float v[128];
  __local int f[128];
  const int lane = get_local_id(0), g = get_global_id(0);
  v[lane] = val[g];
  f[lane] = head[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < 128; d <<= 1) {
    float tv = 0;
    int tf = 0;
    if (lane >= d) { tv = v[lane - d]; tf = f[lane - d]; }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane >= d) {
      if (!f[lane]) v[lane] = tv + v[lane];
      f[lane] |= tf;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[g] = v[lane];
}
