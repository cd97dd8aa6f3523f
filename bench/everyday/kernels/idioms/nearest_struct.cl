//: global 4096
//: local 64
//: arg r.random(12288, np.float32).view("f4,f4,f4")
//: arg r.random(768, np.float32).view("f4,f4,f4")
//: arg np.zeros(4096, np.int32)
//: arg np.int32(256)
// Points in packed structs.
typedef struct { float x, y, z; } Point;
float squared(Point a, Point b) {
  float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return dx * dx + dy * dy + dz * dz;
}
kernel void nearest(global const Point *points, global const Point *centres, global int *label, int k) {
  const int id = get_global_id(0);
  Point p = points[id];
  int best = 0;
  float best_distance = squared(p, centres[0]);
  for (int c = 1; c < k; ++c) {
    float d = squared(p, centres[c]);
    if (d < best_distance) {
      best_distance = d;
      best = c;
    }
  }
  label[id] = best;
}
