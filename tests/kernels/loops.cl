// for, while, do-while; break and continue in nested loops; empty bodies; several loop variables;
// unsigned counters that count down; loops that never run; return from inside loops.
// LAUNCH: global=24 local=8 args: x=rand:i32:24:0:20 y=zeros:i32:24
kernel void loops(global const int *x, global int *y) {
  int g = get_global_id(0), n = x[g], r = 0;
  for (int i = 0, j = n; i < j; ++i, --j)
    r += j - i;
  for (uint u = n; u-- > 0;)
    r += u & 3;
  int k = 0;
  while (k < 100 && k * k < n)
    ++k;
  do {
    if (k == 3)
      continue;
    r += 100;
  } while (--k > 0);
  for (int i = 0; i < n; ++i) {
    for (int j = 0;; ++j) {
      if (j > i || j == 5)
        break;
      if ((i ^ j) & 1)
        continue;
      r += 1000;
    }
    if (r > 60000) {
      y[g] = -r;
      return;
    }
  }
  for (; r & 1; r >>= 1)
    ;
  for (int i = 10; i < 5; ++i)
    r = 0;
  for (long i = -2; i <= 6; i += 3)
    r += (int)i;
  for (char c = 'a'; c <= 'e'; c++)
    r ^= c;
  y[g] = r;
}
