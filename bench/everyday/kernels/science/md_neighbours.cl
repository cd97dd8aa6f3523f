//: global 8192
//: local 128
//: arg r.random((8192, 4), dtype=np.float32) * np.float32(10)
//: arg r.integers(0, 8192, (48, 8192)).astype(np.int32)
//: arg r.integers(20, 49, 8192).astype(np.int32)
//: arg np.zeros((8192, 4), np.float32)
//: arg np.float32(6.25)
//: arg np.float32(1.5)
//: arg np.float32(2.0)
//: arg np.int32(8192)
// Lennard-Jones from a list of neighbours, columns first.
__kernel void compute_lj_force(__global const float4 *position, __global const int *neighList,
                               __global const int *count, __global float4 *force, const float cutsq, const float lj1,
                               const float lj2, const int inum) {
  uint idx = get_global_id(0);
  float4 ipos = position[idx];
  float4 f = {0.0f, 0.0f, 0.0f, 0.0f};
  int j = 0;
  while (j < count[idx]) {
    int jidx = neighList[j * inum + idx];
    float4 jpos = position[jidx];
    float delx = ipos.x - jpos.x;
    float dely = ipos.y - jpos.y;
    float delz = ipos.z - jpos.z;
    float r2 = delx * delx + dely * dely + delz * delz;
    if (r2 < cutsq && r2 > 0.01f) {
      float r2inv = 1.0f / r2;
      float r6inv = r2inv * r2inv * r2inv;
      float fc = r2inv * r6inv * (lj1 * r6inv - lj2);
      f.x += delx * fc;
      f.y += dely * fc;
      f.z += delz * fc;
    }
    j++;
  }
  force[idx] = f;
}
