//: global 16384
//: local 64
//: arg r.random(1 << 14, np.float32)
// Odd-even transposition sort of each block.
inline void order(__local float *p, __local float *q) {
  float a = *p, b = *q;
  if (a > b) { *p = b; *q = a; }
}
__kernel void odd_even_sort(__global float *data) {
  __local float a[64];
  int i = get_local_id(0), n = get_local_size(0);
  a[i] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int pass = 0; pass < n; pass++) {
    if ((i & 1) == (pass & 1) && i + 1 < n) order(&a[i], &a[i + 1]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  data[get_global_id(0)] = a[i];
}
