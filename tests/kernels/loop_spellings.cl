// Rows and windows, gone through by loops that people write in different ways.

// LAUNCH: kernel=row_to_pointer global=32 local=8 args: in=rand:f32:512 out=zeros:f32:32 n=16
kernel void row_to_pointer(global const float *in, global float *out, int n) {
  int g = get_global_id(0);
  float s = 0;
  for (global const float *p = in + g * n, *end = p + n; p < end;) s += *p++;
  out[g] = s;
}

// LAUNCH: kernel=row_step_first global=32 local=8 args: in=rand:f32:512 out=zeros:f32:32 n=16
kernel void row_step_first(global const float *in, global float *out, int n) {
  int g = get_global_id(0), next = 0;
  float s = 0;
  while (next < n) {
    int k = next++;
    s += in[g * n + k];
  }
  out[g] = s;
}

// LAUNCH: kernel=row_number_left global=32 local=8 args: in=rand:f32:512 out=zeros:f32:32 n=16
kernel void row_number_left(global const float *in, global float *out, uint n) {
  size_t g = get_global_id(0);
  global const float *p = in + g * n;
  float s = 0;
  do {
    s += *p++;
  } while (--n);
  out[g] = s;
}

// LAUNCH: kernel=row_down global=32 local=8 args: in=rand:f32:512 out=zeros:f32:32 n=16
kernel void row_down(global const float *in, global float *out, int n) {
  int g = get_global_id(0), k = n;
  float s = 0;
  while (k > 0) s += in[g * n + --k];
  out[g] = s;
}

// LAUNCH: kernel=row_break global=32 local=8 args: in=rand:f32:512 out=zeros:f32:32 n=16
kernel void row_break(global const float *in, global float *out, int n) {
  int g = get_global_id(0), k = g & 1;
  float s = 0;
  for (;;) {
    s += in[g * n + k];
    if (++k == n) break;
  }
  out[g] = s;
}

// LAUNCH: kernel=row_in_pairs global=32 local=8 args: in=rand:f32:512 out=zeros:f32:32 n=16
kernel void row_in_pairs(global const float *in, global float *out, int n) {
  int g = get_global_id(0), k = g % 3;
  float even = 0, odd = 0;
  while (k + 1 < n) {
    even += in[g * n + k];
    odd += in[g * n + k + 1];
    k += 2;
  }
  if (k < n) even += in[g * n + k];
  out[g] = even + odd;
}

// LAUNCH: kernel=window global=30x14 local=6x2 args: in=iota:f32:512 w=iota:f32:9 out=zeros:f32:420
kernel void window(global const float *in, constant float *w, global float *out) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int k = 0; k < 9; k++) s += in[(y + k / 3) * 32 + x + k % 3] * w[k];
  out[y * 30 + x] = s;
}

// LAUNCH: kernel=channels global=16x8x2 local=8x2x1 args: in=iota:f32:512 w=iota:f32:72 out=zeros:f32:256
kernel void channels(global const float *in, global const float *w, global float *out) {
  int x = get_global_id(0), y = get_global_id(1), f = get_global_id(2);
  float s = 0;
  for (uint k = 0; k < 36; k++) {
    int c = k / 9, a = x + (int)(k % 3) - 1, b = y + (int)(k / 3 % 3) - 1;
    if (a >= 0 && b >= 0 && a < 16 && b < 8) s += in[(c * 8 + b) * 16 + a] * w[f * 36 + k];
  }
  out[(f * 8 + y) * 16 + x] = s;
}

// LAUNCH: kernel=grid_by_groups global=32 local=8 args: in=iota:f32:150 out=zeros:f32:150 n=150
kernel void grid_by_groups(global const float *in, global float *out, int n) {
  long i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  while (i < n) {
    out[i] = in[i] * 2;
    i += get_num_groups(0) * get_local_size(0);
  }
}

// LAUNCH: kernel=grid_do global=32 local=8 args: in=iota:f32:150 out=zeros:f32:150 n=150
// LAUNCH: kernel=grid_do global=32 local=8 args: in=iota:f32:150 out=zeros:f32:150 n=11
kernel void grid_do(global const float *in, global float *out, int n) {
  size_t i = get_global_id(0);
  do {
    if (i >= n) break;
    out[i] = in[i] + 1;
    i += get_global_size(0);
  } while (true);
}
