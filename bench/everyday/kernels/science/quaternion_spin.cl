//: global 32768
//: local 64
//: arg r.standard_normal((32768, 4), dtype=np.float32).view([(f, 'f4') for f in 'wxyz']).ravel()
//: arg r.standard_normal((32768, 3), dtype=np.float32).view([(f, 'f4') for f in 'xyz']).ravel()
//: arg np.float32(0.01)
//: arg np.int32(32768)
// Turns bodies by their angular velocities.
typedef struct { float w, x, y, z; } quat;
typedef struct { float x, y, z; } vec;

quat qmul(quat a, quat b) {
  quat r;
  r.w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
  r.x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y;
  r.y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x;
  r.z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w;
  return r;
}
quat qnorm(quat q) {
  float l = rsqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return (quat){q.w * l, q.x * l, q.y * l, q.z * l};
}

kernel void spin(global quat *q, global const vec *omega, float dt, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  vec o = omega[i];
  float a = sqrt(o.x * o.x + o.y * o.y + o.z * o.z) * dt;
  if (a > 1e-6f) {
    float s = sin(a * 0.5f) * dt / a;
    quat d = {cos(a * 0.5f), o.x * s, o.y * s, o.z * s};
    q[i] = qnorm(qmul(d, q[i]));
  }
}
