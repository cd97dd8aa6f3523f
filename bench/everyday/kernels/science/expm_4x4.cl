//: global 4096
//: local 64
//: data M = np.dtype([('m', 'f4', (4, 4))])
//: arg r.standard_normal((4096, 16), dtype=np.float32).view(M).ravel()
//: arg np.zeros(4096, M)
//: arg np.int32(4096)
// Exponentials of 4 x 4 matrices: scale, Taylor, square.
typedef struct { float m[4][4]; } mat4;
mat4 mul(mat4 a, mat4 b) {
  mat4 c;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      float s = 0;
      for (int k = 0; k < 4; k++) s += a.m[i][k] * b.m[k][j];
      c.m[i][j] = s;
    }
  return c;
}

kernel void expm(global const mat4 *in, global mat4 *out, int n) {
  int id = get_global_id(0);
  if (id >= n) return;
  mat4 a = in[id], e, t;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      a.m[i][j] /= 16.0f;
      e.m[i][j] = t.m[i][j] = i == j ? 1.0f : 0.0f;
    }
  for (int k = 1; k <= 6; k++) {
    t = mul(t, a);
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) {
        t.m[i][j] /= k;
        e.m[i][j] += t.m[i][j];
      }
  }
  for (int s = 0; s < 4; s++) e = mul(e, e);
  out[id] = e;
}
