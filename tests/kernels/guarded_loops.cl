// Loops whose iterations a guard stops: wg-shorten-loops runs the others alone, for each work-item.

// Taps that may be before or behind what there is; m elements of in are used.
// LAUNCH: kernel=fir global=40 local=8 args: in=rand:i16:60 coef=rand:i16:90 out=zeros:i32:40 taps=20 phases=4 m=30
// LAUNCH: kernel=fir global=40 local=8 args: in=rand:i16:60 coef=rand:i16:90 out=zeros:i32:40 taps=5 phases=3 m=60
// LAUNCH: kernel=fir global=40 local=8 args: in=rand:i16:60 coef=rand:i16:90 out=zeros:i32:40 taps=20 phases=4 m=0
// LAUNCH: kernel=fir global=40 local=8 args: in=rand:i16:60 coef=rand:i16:90 out=zeros:i32:40 taps=0 phases=4 m=60
// LAUNCH: kernel=fir global=40 local=8 args: in=rand:i16:60 coef=rand:i16:90 out=zeros:i32:40 taps=-2147483648 phases=4 m=-5
kernel void fir(global const short *in, global const short *coef, global int *out, int taps, int phases, int m) {
  int o = get_global_id(0), phase = o * 3 % phases, base = o * 3 / phases, sum = 0;
  for (int k = 0; k < taps; k++) {
    int i = base - k;
    if (i >= 0 && i < m) sum += in[i] * coef[phase * taps + k];
  }
  out[o] = sum;
}

// A window of rows and columns, by early ends of iterations.
// LAUNCH: kernel=window global=9x5 local=9x5 args: in=rand:f32:45 weight=rand:f32:361 out=zeros:f32:45 radius=9 w=9 h=5
// LAUNCH: kernel=window global=9x5 local=9x5 args: in=rand:f32:45 weight=rand:f32:361 out=zeros:f32:45 radius=1 w=7 h=3
// LAUNCH: kernel=window global=9x5 local=3x5 args: in=rand:f32:45 weight=rand:f32:361 out=zeros:f32:45 radius=0 w=0 h=5
kernel void window(global const float *in, global const float *weight, global float *out, int radius, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1), size = 2 * radius + 1;
  float sum = x * 3 % 5;
  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++) {
      int i = x + dx, j = y + dy;
      if (i < 0 || i >= w) continue;
      if (j < 0) continue;
      if (j > h - 1) continue;
      sum += in[j * 9 + i] * weight[(dy + radius) * size + dx + radius];
    }
  out[y * 9 + x] = sum;
}

// Below and above a diagonal, with something else in the guard, and a store in the loop.
// LAUNCH: kernel=triangle global=24 local=8 args: a=rand:i32:576 out=zeros:i32:576 sums=zeros:i64:24 n=24 first=3
// LAUNCH: kernel=triangle global=24 local=8 args: a=rand:i32:576 out=zeros:i32:576 sums=zeros:i64:24 n=17 first=-30
// LAUNCH: kernel=triangle global=24 local=8 args: a=rand:i32:576 out=zeros:i32:576 sums=zeros:i64:24 n=0 first=0
kernel void triangle(global const int *a, global int *out, global long *sums, int n, int first) {
  int row = get_global_id(0);
  long below = 0, above = 0;
  for (int k = 0; k < n; k++)
    if (k <= row && a[row * 24 + k] % 3 != 0) {
      below += a[row * 24 + k];
      out[row * 24 + k] = k + 1;
    }
  for (long k = n - 1; k >= 0; k--)
    if (!(k - first <= row)) above = above * 3 + a[row * 24 + k];
  sums[row] = below - 5 * above;
}

// These stay: another value is carried on where the guard fails, the guard asks for every second
// place or for a number that the loop changes, or unsigned numbers that wrap.
// LAUNCH: kernel=others global=16 local=8 args: a=rand:i32:64 out=zeros:i32:64 n=20
// LAUNCH: kernel=others global=16 local=8 args: a=rand:i32:64 out=zeros:i32:64 n=33
kernel void others(global const int *a, global int *out, uint n) {
  uint x = get_global_id(0);
  uint sum = 0, last = 0, skipped = 0, wrapped = 0;
  for (uint k = 0; k < n; k++) {
    if (k >= x) sum += a[k];
    else skipped += k;
    if (2 * k >= x) last ^= a[k];
  }
  for (uint k = 0; k < n; k++)
    if (sum + k < 1000000000u) { sum += a[k]; wrapped++; }
  for (uint k = 0; k < n; k++)
    if (x + k - 20 < 16) wrapped = wrapped * 3 + k;
  out[4 * x] = sum, out[4 * x + 1] = last, out[4 * x + 2] = skipped, out[4 * x + 3] = wrapped;
}
