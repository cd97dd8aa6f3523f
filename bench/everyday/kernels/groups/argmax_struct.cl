//: global 262144
//: local 128
//: arg r.integers(0, 100000, 1 << 18, np.int32)
//: arg np.zeros(2048, [("value", np.int32), ("index", np.int32)])
typedef struct { int value; int index; } best_t;
best_t better(best_t a, best_t b) {
  if (b.value > a.value) return b;
  if (b.value == a.value && b.index < a.index) return b;
  return a;
}
__kernel void argmax(__global const int *data, __global best_t *result) {
  __local best_t s[128];
  int tid = get_local_id(0);
  best_t mine;
  mine.value = data[get_global_id(0)];
  mine.index = get_global_id(0);
  s[tid] = mine;
  for (int half_size = 64; half_size >= 1; half_size /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tid < half_size) s[tid] = better(s[tid], s[tid + half_size]);
  }
  if (tid == 0) result[get_group_id(0)] = s[0];
}
