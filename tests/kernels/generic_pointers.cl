// The generic address space: helpers that take a pointer to any memory, pointers to pointers.
// LAUNCH: global=16 local=4 options="-cl-std=CL2.0" args: x=rand:i32:16:-9:9 y=zeros:i32:16x3
// LAUNCH: global=16 local=4 options="-cl-std=CL3.0" args: x=rand:i32:16:-9:9 y=zeros:i32:16x3
void add(int *p, int v) { *p += v; }
int sum(const int *p, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i];
  return s;
}
void swap(int **a, int **b) {
  int *t = *a;
  *a = *b;
  *b = t;
}
kernel void any_memory(global int *x, global int *y) {
  local int shared[4];
  int mine[4] = {1, 2, 3, 4};
  size_t g = get_global_id(0), l = get_local_id(0);
  shared[l] = x[g];
  add(&shared[l], 10);
  add(&mine[l], x[g]);
  add(&y[g * 3], (int)l);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  int *a = mine, *b = shared;
  if (x[g] & 1)
    swap(&a, &b);
  y[g * 3 + 1] = sum(a, 4) * 1000 + sum(b, 4);
  int *both[2] = {mine + 1, shared};
  int **p = both + (g & 1);
  y[g * 3 + 2] = **p + (*p)[1] + sum(&x[g & 12], 4);
}
