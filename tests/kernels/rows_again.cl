// Rows of each work-item's own that a loop reads in each iteration of another one.
// LAUNCH: kernel=nearest global=48 local=16 args: x=rand:f32:240 c=rand:f32:60 label=zeros:i32:48 n=48 k=12 d=5
// LAUNCH: kernel=nearest global=48 local=16 args: x=rand:f32:240 c=rand:f32:60 label=zeros:i32:48 n=41 k=3 d=5
// LAUNCH: kernel=nearest global=16 local=16 args: x=rand:f32:1120 c=rand:f32:350 label=zeros:i32:16 n=16 k=5 d=70
// LAUNCH: kernel=nearest global=16 local=16 args: x=rand:f32:16 c=rand:f32:16 label=zeros:i32:16 n=16 k=9 d=0
// LAUNCH: kernel=attention global=32 local=16 tolerance=8ulp
//     args: q=rand:f32:256 keys=rand:f32:64 values=rand:f32:64 out=zeros:f32:256 n=8 d=8
// LAUNCH: kernel=known global=32 local=32 args: x=rand:i32:192:1:9 y=rand:i32:42:1:9 out=zeros:i32:32
// LAUNCH: kernel=from_two global=32 local=16 args: x=rand:f64:320 y=rand:f64:60 out=zeros:f64:32 first=2 last=9 d=10
// LAUNCH: kernel=from_two global=32 local=16 args: x=rand:f64:320 y=rand:f64:60 out=zeros:f64:32 first=-1 last=-3 d=10
// LAUNCH: kernel=written global=16 local=16 args: x=rand:f32:96 y=rand:f32:60 n=10 d=6
// LAUNCH: kernel=bytes global=32 local=16 args: x=rand:u8:224 y=rand:u8:42 out=zeros:u32:32 n=6 d=7
// LAUNCH: kernel=two_rows global=16 local=8 args: x=rand:f32:96 y=rand:f32:96 z=rand:f32:48 out=zeros:f32:16 n=8 d=6

kernel void nearest(global const float *x, global const float *c, global int *label, int n, int k, int d) {
  int i = get_global_id(0);
  if (i >= n) return;
  float best = INFINITY;
  int found = -1;
  for (int j = 0; j < k; ++j) {
    float s = 0;
    for (int e = 0; e < d; ++e) s += (x[i * d + e] - c[j * d + e]) * (x[i * d + e] - c[j * d + e]);
    if (s < best) {
      best = s;
      found = j;
    }
  }
  label[i] = found;
}

kernel void attention(global const float *q, global const float *keys, global const float *values, global float *out,
                      uint n, uint d) {
  size_t i = get_global_id(0);
  float most = -INFINITY, sum = 0, acc[8] = {0};
  for (uint j = 0; j < n; j++) {
    float s = 0;
    for (uint e = 0; e < d; e++) s += q[i * d + e] * keys[j * d + e];
    float next = fmax(most, s), scale = exp(most - next), p = exp(s - next);
    sum = sum * scale + p;
    most = next;
    for (int e = 0; e < 8; e++) acc[e] = acc[e] * scale + p * values[j * 8 + e];
  }
  for (int e = 0; e < 8; e++) out[i * 8 + e] = acc[e] / sum;
}

// All numbers of iterations are known.
kernel void known(global const int *x, global const int *y, global int *out) {
  global const int *row = x + get_global_id(0) * 6;
  int most = 0;
  for (int j = 0; j < 7; ++j) {
    int s = 0;
    for (int e = 0; e < 6; ++e) s += row[e] ^ y[j * 6 + e] * s;
    most = max(most, s);
  }
  out[get_global_id(0)] = most;
}

// The loops do not begin at 0, and may have no iterations.
kernel void from_two(global const double *x, global const double *y, global double *out, int first, int last, int d) {
  int i = get_global_id(0);
  double most = 0;
  for (int j = 0; j < 6; ++j) {
    double s = 1;
    for (int e = first; e < last; ++e) s = s * 0.5 + x[i * d + e] * y[j * d + e];
    most = fmax(most, s);
  }
  out[i] = most;
}

// The row changes: it is not kept.
kernel void written(global float *x, global const float *y, int n, int d) {
  int i = get_global_id(0);
  for (int j = 0; j < n; ++j) {
    float s = 0;
    for (int e = 0; e < d; ++e) s += x[i * d + e] * y[j * d + e];
    x[i * d + j % d] = s * 0.125f;
  }
}

kernel void bytes(global const uchar *x, global const uchar *y, global uint *out, int n, int d) {
  int i = get_global_id(0);
  uint least = ~0u;
  for (int j = 0; j < n; ++j) {
    uint s = 0;
    for (int e = 0; e < d; ++e) s = s * 3 + popcount((uchar)(x[i * d + e] ^ y[j * d + e]));
    least = min(least, s);
  }
  out[i] = least;
}

// Two rows, and a column.
kernel void two_rows(global const float *x, global const float *y, global const float *z, global float *out, int n, int d) {
  int i = get_global_id(0), items = get_global_size(0);
  float most = 0;
  for (int j = 0; j < n; ++j) {
    float s = 0, t = 0;
    for (int e = 0; e < d; ++e) s += x[i * d + e] * z[j * d + e];
    for (int e = 1; e < d; ++e) t += y[e * items + i] * x[i * d + d - e] - z[j * d + e];
    most = fmax(most, fabs(s - t));
  }
  out[i] = most;
}
