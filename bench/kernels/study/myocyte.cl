// A heart cell in two parts, integrated by Euler's method: the first work-group has the membrane
// (sodium and potassium channels, after Hodgkin and Huxley), the second one the binding of calcium
// to a protein with four sites (mass action). Only the first work-item of a group does anything.
__kernel void myocyte(__global float *membrane, __global float *binding, int steps, float dt,
                      float current, float calcium) {
  if (get_group_id(0) == 0) {
    if (get_local_id(0) == 0) {
      float v = membrane[0], m = membrane[1], h = membrane[2], n = membrane[3];
      for (int i = 0; i < steps; i++) {
        float am = 0.1f * (v + 40.0f) / (1.0f - exp(-0.1f * (v + 40.0f)));
        float bm = 4.0f * exp(-(v + 65.0f) / 18.0f);
        float ah = 0.07f * exp(-(v + 65.0f) / 20.0f);
        float bh = 1.0f / (1.0f + exp(-0.1f * (v + 35.0f)));
        float an = 0.01f * (v + 55.0f) / (1.0f - exp(-0.1f * (v + 55.0f)));
        float bn = 0.125f * exp(-(v + 65.0f) / 80.0f);
        float sodium = 120.0f * m * m * m * h * (v - 50.0f);
        float potassium = 36.0f * n * n * n * n * (v + 77.0f);
        v += dt * (current - sodium - potassium - 0.3f * (v + 54.4f));
        m += dt * (am * (1.0f - m) - bm * m);
        h += dt * (ah * (1.0f - h) - bh * h);
        n += dt * (an * (1.0f - n) - bn * n);
      }
      membrane[0] = v;
      membrane[1] = m;
      membrane[2] = h;
      membrane[3] = n;
    }
  } else if (get_group_id(0) == 1) {
    if (get_local_id(0) == 0) {
      float p0 = binding[0], p1 = binding[1], p2 = binding[2], p3 = binding[3], p4 = binding[4];
      for (int i = 0; i < steps; i++) {
        float free = calcium - (p1 + 2.0f * p2 + 3.0f * p3 + 4.0f * p4);
        float a = 4.0f * free * p0 - p1, b = 3.0f * free * p1 - 2.0f * p2;
        float c = 2.0f * free * p2 - 3.0f * p3, d = free * p3 - 4.0f * p4;
        p0 -= dt * a;
        p1 += dt * (a - b);
        p2 += dt * (b - c);
        p3 += dt * (c - d);
        p4 += dt * d;
      }
      binding[0] = p0;
      binding[1] = p1;
      binding[2] = p2;
      binding[3] = p3;
      binding[4] = p4;
    }
  }
}
