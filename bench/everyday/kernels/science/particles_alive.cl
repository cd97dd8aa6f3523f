//: global 65536
//: local 128
//: data N = 65536
//: data P = np.concatenate([r.standard_normal((N, 7)).astype(np.float32), (r.integers(0, 2, (N, 1))).astype(np.int32).view(np.float32)], axis=1).astype(np.float32).copy()
//: arg P.view([(f, 'f4') for f in ('px', 'py', 'pz', 'vx', 'vy', 'vz', 'age')] + [('alive', 'i4')]).ravel()
//: arg np.int32(N)
//: arg np.float32(0.01)
// Moves those particles of an array of records that are alive, and kills those that leave the box.
typedef struct {
  float px, py, pz;
  float vx, vy, vz;
  float age;
  int alive;
} Particle;

__kernel void step_particles(__global Particle *ps, const int n, const float dt) {
  int i = get_global_id(0);
  if (i >= n) return;
  if (!ps[i].alive) return;
  Particle p = ps[i];
  p.vy -= 9.81f * dt;
  p.px += p.vx * dt;
  p.py += p.vy * dt;
  p.pz += p.vz * dt;
  if (p.py < -1.0f) { p.py = -2.0f - p.py; p.vy = -0.5f * p.vy; }
  p.age += dt;
  if (p.age > 2.5f || fabs(p.px) > 3.0f || fabs(p.pz) > 3.0f) p.alive = 0;
  ps[i] = p;
}
