kernel void f(global int *count, global const int *in, int n) {
  int x = get_global_id(0);
  if (x < n) {
    atomic_add(&count[in[x] & 7], in[max(x - 1, 0)]);
    if (x > 2)
      atomic_inc(&count[8]);
  }
}
