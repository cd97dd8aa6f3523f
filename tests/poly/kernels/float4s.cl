kernel void f(global float4 *out, global const float4 *a, int n) {
  int x = get_global_id(0);
  float4 left = a[max(x - 1, 0)], right = a[min(x + 1, n - 1)];
  if (x < n)
    out[x] = left.wzyx + right * (float4)(1.0f, 2.0f, 3.0f, 4.0f);
}
