//: global 65536
//: local 64
//: arg r.random(131072, np.float32).view("f4,f4")
//: arg r.random(131072, np.float32).view("f4,f4")
//: arg np.zeros(131072, np.float32).view("f4,f4")
//: arg np.int32(65536)
typedef struct { float re; float im; } complex_t;
static inline complex_t mul(const complex_t a, const complex_t b) {
  complex_t r;
  r.re = a.re * b.re - a.im * b.im;
  r.im = a.re * b.im + a.im * b.re;
  return r;
}
kernel void multiply(global const complex_t *a, global const complex_t *b, global complex_t *c, int n) {
  size_t i = get_global_id(0);
  if (i >= n) return;
  complex_t p = mul(a[i], b[i]);
  p.re /= n;
  p.im /= n;
  c[i] = p;
}
