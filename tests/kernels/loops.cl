// for, while, do-while; break and continue in nested loops; empty bodies; several loop variables;
// unsigned counters that count down; loops that never run; return from inside loops.
// LAUNCH: kernel=loops global=24 local=8 args: x=rand:i32:24:0:20 y=zeros:i32:24
// LAUNCH: kernel=down global=16 local=8 args: y=zeros:i32:16 n=10 m=6 q=12 b=2
// LAUNCH: kernel=down global=16 local=8 args: y=zeros:i32:16 n=0 m=0 q=-5 b=-2
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

// What a loop that counts down in its condition leaves behind, too.
kernel void down(global int *y, int n, uint m, long q, int b) {
  int g = get_global_id(0), r = 0, i = n;
  while (i-- > b)
    r = r * 3 + i;
  r += i;
  uint u = m;
  for (; u-- > 0;)
    r ^= u * 7;
  r += u;
  while (n--) {
    if (r & 1)
      continue;
    r += n;
  }
  r += n;
  for (; q-- > b + g;)
    r += (int)q * 5;
  r += (int)q;
  size_t s = m;
  while (s-- != 0)
    r += s;
  r += (int)s;
  for (int j = g; j-- > 2;) {
    r++;
    if (r % 7 == 3)
      break;
  }
  i = i + 3;
  while (i-- > 0)
    r += i;
  int d = 9;
  while (d-- > 0) {
    d -= g & 1;
    r += d;
  }
  char c = 5;
  while (c-- > 0)
    r += c;
  y[g] = r + c + d;
}
