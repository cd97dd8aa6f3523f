// Rows that work-items write, as vectors of iterations: wg-mask-rows masks those of up to 16 elements,
// and nothing beside them is written.

// LAUNCH: kernel=classes global=21 local=7 args: z=rand:f32:400 out=rand:f32:400 n=10 m=19
// LAUNCH: kernel=classes global=16 local=16 args: z=rand:f32:400 out=rand:f32:400 n=16 m=16
// LAUNCH: kernel=classes global=16 local=16 args: z=rand:f32:400 out=rand:f32:400 n=17 m=16
// LAUNCH: kernel=classes global=8 local=8 args: z=rand:f32:400 out=rand:f32:400 n=0 m=8
// LAUNCH: kernel=classes global=8 local=8 args: z=rand:f32:400 out=rand:f32:400 n=-2147483648 m=8
kernel void classes(global const float *z, global float *out, int n, int m) {
  int i = get_global_id(0);
  if (i >= m) return;
  float s = 0;
  for (int c = 0; c < n; c++) s += z[i * n + c];
  for (int c = 0; c < n; c++) out[i * n + c] = z[i * n + c] * 0.5f - s;
}

// LAUNCH: kernel=between global=12 local=12 args: a=rand:u8:300 out=rand:u8:300 first=5 last=18
// LAUNCH: kernel=between global=12 local=12 args: a=rand:u8:300 out=rand:u8:300 first=5 last=5
// LAUNCH: kernel=between global=12 local=12 args: a=rand:u8:300 out=rand:u8:300 first=7 last=-3
// LAUNCH: kernel=between global=12 local=12 args: a=rand:u8:300 out=rand:u8:300 first=0 last=23
kernel void between(global const uchar *a, global uchar *out, int first, int last) {
  int i = get_global_id(0);
  for (int k = first; k < last; ++k) out[i * 24 + k] = 255 - a[i * 24 + k];
}

// LAUNCH: kernel=counts global=9 local=9 args: a=rand:f64:120 found=zeros:i32:9 out=rand:f64:120 n=11 least=0.25
// LAUNCH: kernel=counts global=9 local=9 args: a=rand:f64:120 found=zeros:i32:9 out=rand:f64:120 n=13 least=0.25
kernel void counts(global const double *a, global int *found, global double *out, int n, double least) {
  int i = get_global_id(0), count = 0;
  for (int k = 0; k < n; k++) {
    count += a[i * n + k] > least;
    out[i * n + k] = a[i * n + k] + least;
  }
  found[i] = count;
}

// Sums of some elements of a row, as one that counts.
// LAUNCH: kernel=some global=64 local=16 args: a=rand:i32:448:-9:9 out=zeros:i32:384 n=7
// LAUNCH: kernel=some global=9 local=9 args: a=rand:i32:144:-9:9 out=zeros:i32:54 n=16
// LAUNCH: kernel=some global=32 local=32 args: a=rand:i32:1312:-9:9 out=zeros:i32:192 n=41
// LAUNCH: kernel=some global=8 local=8 args: a=rand:i32:8 out=zeros:i32:48 n=0
kernel void some(global const int *a, global int *out, int n) {
  int i = get_global_id(0), count = 0, sum = 3, product = 1, bits = 5, all = -1, largest = -8;
  for (int k = 0; k < n; k++) if (a[i * n + k] > 2) count++;
  for (int k = 0; k < n; k++) sum = a[i * n + k] < 0 ? sum : sum + a[i * n + k];
  for (int k = 0; k < n; k++) if (a[i * n + k] & 1) product *= a[i * n + k];
  for (int k = 0; k < n; k++) if (a[i * n + k] != 4) bits ^= a[i * n + k];
  for (int k = 0; k < n; k++) if (a[i * n + k] < -2) all &= a[i * n + k];
  for (int k = 0; k < n; k++) if (a[i * n + k] & 2) largest = max(largest, a[i * n + k]);
  out[6 * i] = count;
  out[6 * i + 1] = sum;
  out[6 * i + 2] = product;
  out[6 * i + 3] = bits;
  out[6 * i + 4] = all;
  out[6 * i + 5] = largest;
}
