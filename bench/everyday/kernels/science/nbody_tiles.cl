//: global 1024
//: local 128
//: arg r.standard_normal((1024, 4))
//: arg np.zeros((1024, 4))
//: arg np.int32(1024)
//: arg np.float64(0.01)
//: arg LocalBytes(128 * 32)
// Accelerations of all by all, tiles of bodies in local memory, double precision.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void nbody(__global const double4 *pos, __global double4 *acc, int n, double eps, __local double4 *tile) {
  int gid = get_global_id(0), lid = get_local_id(0), nt = get_local_size(0);
  double4 p = pos[gid];
  double ax = 0, ay = 0, az = 0;
  for (int t = 0; t < n / nt; t++) {
    tile[lid] = pos[t * nt + lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < nt; j++) {
      double4 q = tile[j];
      double dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
      double inv = rsqrt(dx * dx + dy * dy + dz * dz + eps);
      double s = q.w * inv * inv * inv;
      ax += dx * s; ay += dy * s; az += dz * s;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  acc[gid] = (double4)(ax, ay, az, 0);
}
