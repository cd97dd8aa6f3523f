// Helper functions: early returns, pointer arguments of several address spaces, structures by
// value, results used as arguments, a function that is called from two kernels.
// LAUNCH: kernel=first global=16 local=4 args: x=rand:i32:16:-50:50 y=zeros:i32:16
// LAUNCH: kernel=second global=16 local=8 args: x=rand:i32:16:-50:50 y=zeros:i32:16
typedef struct { int low, high; } Range;

static int classify(int v) {
  if (v < -10)
    return -1;
  for (int i = 0; i < 5; ++i)
    if (v == i * i)
      return i;
  if (v > 10)
    return 100;
  return 50;
}

void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}

Range widen(Range r, int by) {
  r.low -= by;
  r.high += by;
  return r;
}

inline int span_of(Range r) { return r.high - r.low; }

int sum_global(global const int *p, int n) {
  int sum = 0;
  while (n-- > 0)
    sum += *p++;
  return sum;
}

void add_to(global int *p, const int *values, int i) { p[i] += values[i & 1]; }

kernel void first(global const int *x, global int *y) {
  int g = get_global_id(0), a = x[g], b = g;
  if (a < b)
    swap(&a, &b);
  Range r = {b, a};
  int values[2] = {span_of(widen(r, 3)), classify(a) + classify(classify(b))};
  y[g] = r.low;
  add_to(y, values, g);
}

kernel void second(global const int *x, global int *y) {
  int g = get_global_id(0);
  y[g] = sum_global(x, g + 1) + classify(x[g]);
}
