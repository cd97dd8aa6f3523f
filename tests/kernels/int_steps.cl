// Loops that count in an int by more than 1, up to bounds of any sign; columns of a matrix, and a row.
// LAUNCH: global=16 local=8 kernel=steps args: x=rand:i32:64:-99:99 y=zeros:i32:16x6 n=61 s=3
// LAUNCH: global=16 local=8 kernel=steps args: x=rand:i32:64:-99:99 y=zeros:i32:16x6 n=-5 s=2
// LAUNCH: global=16 local=8 kernel=columns args: x=rand:i32:16x16:-99:99 y=zeros:i32:16 w=16 h=13
kernel void steps(global const int *x, global int *y, int n, int s) {
  int g = get_global_id(0);
  global int *r = y + 6 * g;
  for (int i = 0; i < n; i += 4)
    r[0] += x[i] * (i + g);
  for (int i = g; i < n; i += 7)
    r[1] += x[i];
  for (int i = get_local_id(0); i < 64; i += 8)
    r[2] ^= x[i] + i;
  for (int i = g; i < n; i += get_global_size(0))
    r[3] += x[i];
  for (int i = -g; i <= n; i += 5)
    r[4] += i;
  for (int i = g; i < n; i += s) {
    if (x[i] > 90)
      break;
    for (int j = i; j < n; j += 3)
      r[5] += x[j] - j;
  }
}

kernel void columns(global const int *x, global int *y, int w, int h) {
  int g = get_global_id(0), sum = 0;
  for (int i = 0; i < h; i++)
    sum += x[i * w + g];
  for (int i = 0; i < h; i++)
    sum += 3 * x[i * w + g] - x[g * w + i];
  y[g] = sum;
}
