//: global 4096
//: local 64
//: arg r.random(131072, np.float32)
//: arg r.random(131072, np.float32)
//: arg np.zeros(131072, np.float32)
//: arg np.int32(65536)
// A loop over the launch, and pointers.
kernel void multiply(global const float2 *a, global const float2 *b, global float2 *c, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    global const float2 *x = &a[i], *y = &b[i];
    c[i].x = (x->x * y->x - x->y * y->y) / n;
    c[i].y = (x->x * y->y + x->y * y->x) / n;
  }
}
