//: global 16384
//: local 64
//: arg r.standard_normal((16384, 6), dtype=np.float32)
//: arg np.zeros((16384, 3), np.float32)
//: arg np.int32(16384)
// Eigenvalues of symmetric 3 x 3 matrices by rotations of Jacobi.
void rotate(float a[3][3], int p, int q) {
  float apq = a[p][q];
  if (fabs(apq) < 1e-12f) return;
  float theta = (a[q][q] - a[p][p]) / (2.0f * apq);
  float t = 1.0f / (fabs(theta) + sqrt(theta * theta + 1.0f));
  if (theta < 0.0f) t = -t;
  float c = 1.0f / sqrt(t * t + 1.0f), s = t * c;
  for (int k = 0; k < 3; k++) {
    float x = a[k][p], y = a[k][q];
    a[k][p] = c * x - s * y;
    a[k][q] = s * x + c * y;
  }
  for (int k = 0; k < 3; k++) {
    float x = a[p][k], y = a[q][k];
    a[p][k] = c * x - s * y;
    a[q][k] = s * x + c * y;
  }
}

kernel void eigen3(global const float *m, global float *values, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  m += 6 * i;
  float a[3][3] = {{m[0], m[1], m[2]}, {m[1], m[3], m[4]}, {m[2], m[4], m[5]}};
  for (int sweep = 0; sweep < 5; sweep++) {
    float off = a[0][1] * a[0][1] + a[0][2] * a[0][2] + a[1][2] * a[1][2];
    if (off < 1e-10f) break;
    rotate(a, 0, 1);
    rotate(a, 0, 2);
    rotate(a, 1, 2);
  }
  values[3 * i] = a[0][0];
  values[3 * i + 1] = a[1][1];
  values[3 * i + 2] = a[2][2];
}
