kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void scale(global float *x, float a) {
  x[get_global_id(0)] *= a;
}
kernel void blur(global const float *x, global float *y, int n) {
  int i = get_global_id(0);
  float left = i > 0 ? x[i - 1] : 0.0f;
  float right = i < n - 1 ? x[i + 1] : 0.0f;
  y[i] = 0.25f * left + 0.5f * x[i] + 0.25f * right;
}
