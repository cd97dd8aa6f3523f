//: global 128 128 8
//: local 16 16 1
//: arg r.random(128 * 128 * 8, np.float32)
//: arg np.zeros(128 * 128 * 8, np.float32)
//: arg np.int32(1)
// Voxels that no neighbour exceeds.
kernel void local_maxima(global const float *src, global float *dst, const int radius) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  int w = get_global_size(0), h = get_global_size(1), d = get_global_size(2);
  int4 pos = (int4)(x, y, z, 0);
  float best = src[pos.x + pos.y * w + pos.z * w * h] - 1;
  int4 place = (int4)(0, 0, 0, 0);
  for (int dx = -radius; dx <= radius; dx++)
    for (int dy = -radius; dy <= radius; dy++)
      for (int dz = -radius; dz <= radius; dz++) {
        const int4 q = pos + (int4)(dx, dy, dz, 0);
        if (q.x < 0 || q.y < 0 || q.z < 0 || q.x >= w || q.y >= h || q.z >= d) continue;
        float v = src[q.x + q.y * w + q.z * w * h];
        if (v > best) {
          best = v;
          place = q;
        }
      }
  dst[pos.x + pos.y * w + pos.z * w * h] =
      place.x == pos.x && place.y == pos.y && place.z == pos.z ? 1 : 0;
}
