// Matrices stored by columns, launched with x along the rows: the groups along y run one after the
// other, since they access what lies side by side. The launch covers more than the matrix.
// LAUNCH: global=24x48 local=8x16 args: a=rand:f32:21x45:-1:1 factors=rand:f32:21:-1:1 row=rand:f32:45:-1:1 n=21 m=45
kernel void eliminate(global float *a, global const float *factors, global const float *row, int n,
                      int m) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < n && y < m) {
    a[x * m + y] -= factors[x] * row[y];
    if (y == 0)
      a[x * m] += 1.0f;
  }
}
