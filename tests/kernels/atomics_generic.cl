// Atomics through pointers of which only the launch knows the memory, and on objects of one work-item.
// LAUNCH: global=16 local=8 options="-cl-std=CL2.0" args: o=iota:i32:16 u=zeros:u32:16 f=zeros:f32:16 n=0
// LAUNCH: global=16 local=8 options="-cl-std=CL3.0" args: o=iota:i32:16 u=zeros:u32:16 f=zeros:f32:16 n=1
int add(atomic_int *p, int n) { return atomic_fetch_add(p, n); }
kernel void any_atomics(global int *o, global uint *u, global float *f, int n) {
  local int t[8];
  local float s[8];
  size_t g = get_global_id(0), l = get_local_id(0);
  t[l] = 3 * l - 4;
  s[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  int *p = n ? (int *)(o + g) : (int *)(t + l);
  int first = add((atomic_int *)p, 3);
  int expected = 5;
  bool same = atomic_compare_exchange_strong((atomic_int *)p, &expected, 9);
  uint most = atomic_fetch_max((atomic_uint *)p, 7u);
  float *q = n ? (float *)(f + g) : (float *)(s + l);
  float before = atomic_exchange((atomic_float *)q, 8.5f);
  atomic_int mine;
  atomic_init(&mine, first);
  add(&mine, 2);
  int last = atomic_exchange(&mine, 1);
  u[g] = same + 10 * expected + 1000 * most + 100000 * (last + atomic_load(&mine));
  f[g] += before + s[l] + t[l];
}
