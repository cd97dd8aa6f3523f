// bool variables, parameters of functions and results; comparisons as numbers; volatile and
// const objects; unused values.
// LAUNCH: global=16 local=4 args: x=rand:i32:16:-4:4 y=zeros:i32:16
bool positive(int v) { return v > 0; }
int as_number(bool b) { return b ? 10 : 20; }

kernel void flags(global const int *x, volatile global int *y) {
  size_t g = get_global_id(0);
  const int v = x[g];
  volatile int twice = v;
  twice = twice + twice;
  bool a = v, b = positive(v), c = !a || (b && v != 2), d = v & 4;
  bool list[3] = {a, b, c};
  list[v & 1] ^= true;
  (void)d;
  y[g] = a + b * 2 + (c << 2) + d * 8 + as_number(list[0]) * 100 + (list[1] == b) * 10000;
  y[g] += twice + (a ? 0.5f : 1) * 2 + (v > 1) - (v < -1);
}
