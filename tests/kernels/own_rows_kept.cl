// Loops along rows in which an element may be written before it is read, or twice: they stay.

// LAUNCH: kernel=shifted global=9 local=9 args: out=rand:f32:190 n=20
kernel void shifted(global float *out, int n) {
  int i = get_global_id(0);
  for (int k = 0; k + 1 < n; k++) out[i * n + k + 1] = out[i * n + k] + 1;
}

// LAUNCH: kernel=behind global=9 local=9 args: out=rand:f32:190 n=20
kernel void behind(global float *out, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < n; k++) {
    if (k & 1) out[i * n + k] = s;
    s += out[i * n + k] * 2 + 1;
  }
}

// LAUNCH: kernel=anywhere global=9 local=9 args: at=rand:u8:20 out=rand:f32:190 n=20
kernel void anywhere(global const uchar *at, global float *out, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < n; k++) {
    s += out[i * n + k];
    out[i * n + at[k] % n] = s;
  }
}

// LAUNCH: kernel=counted global=9 local=9 args: a=rand:f32:190 out=zeros:i32:1 n=20
kernel void counted(global const float *a, global int *out, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; k++)
    if (a[i * n + k] > 0.5f) atomic_inc(out);
}

// A vector reads what the iteration before has written.
// LAUNCH: kernel=vectors global=9 local=9 args: a=rand:f32:190 out=rand:f32:220 n=20
kernel void vectors(global const float *a, global float *out, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < n; k++) {
    float2 v = vload2(0, out + i * (n + 2) + k);
    s += v.x * 0.5f + v.y + a[i * n + k];
    out[i * (n + 2) + k + 1] = s;
  }
}

// The loop goes on by two elements, and reads the second one first, or writes before it reads, or
// reads one of them, or goes on by three.
// LAUNCH: kernel=second_first global=9 local=9 args: a=rand:f32:200 out=rand:f32:9 n=20
kernel void second_first(global const float *a, global float *out, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < n; k += 2) {
    s = s * 0.5f + a[i * n + k + 1];
    s = s * 0.5f + a[i * n + k];
  }
  out[i] = s;
}

// LAUNCH: kernel=written_between global=9 local=9 args: out=rand:f32:200 n=20
kernel void written_between(global float *out, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; k += 2) {
    float s = out[i * n + k];
    out[i * n + k + 1] = s * 0.5f;
    out[i * n + k] = out[i * n + k + 1] + s;
  }
}

// LAUNCH: kernel=every_other global=9 local=9 args: a=rand:f32:200 out=rand:f32:9 n=20
kernel void every_other(global const float *a, global float *out, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < n; k += 2) s = s * 0.5f + a[i * n + k];
  out[i] = s;
}

// LAUNCH: kernel=threes global=9 local=9 args: a=rand:f32:200 out=rand:f32:9 n=18
kernel void threes(global const float *a, global float *out, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < n; k += 3) s = (s * 0.5f + a[i * n + k]) * a[i * n + k + 1] + a[i * n + k + 2];
  out[i] = s;
}

// The inner loop writes elements that the next iterations read.
// LAUNCH: kernel=ahead global=16 local=16 args: out=rand:u32:144 n=9
kernel void ahead(global uint *out, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n - 3; k++) {
    uint v = out[i * n + k];
    for (int j = 1; j < 4; j++) out[i * n + k + j] += v >> j;
  }
}
