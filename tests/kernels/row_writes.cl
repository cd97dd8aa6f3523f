// Loops that write a row of each work-item's own, beside loops that carry something.
// LAUNCH: kernel=normalized global=48 local=16 tolerance=8ulp
//     args: x=rand:f32:1056 scale=rand:f32:22 y=zeros:f32:1056 n=22 rows=41
// LAUNCH: kernel=normalized global=48 local=16 args: x=rand:f32:96 scale=rand:f32:22 y=zeros:f32:96 n=0 rows=41
// LAUNCH: kernel=shares global=33 local=11 tolerance=8ulp args: x=rand:f32:627 y=zeros:f32:627 sums=zeros:f32:33 n=19
// LAUNCH: kernel=in_place global=32 local=16 args: x=rand:i32:544:1:99 n=17
// LAUNCH: kernel=one_hot global=32 local=32 args: x=rand:f32:288 y=zeros:i32:288 n=9
// LAUNCH: kernel=both_sides global=24 local=8 args: x=rand:f32:480 y=zeros:f32:480 n=20
// LAUNCH: kernel=carried global=16 local=16 args: x=rand:f32:320 y=zeros:f32:320 n=20
// LAUNCH: kernel=two_rows global=16 local=16 args: x=rand:f32:320 y=zeros:f32:352 out=zeros:f32:16 n=20

kernel void normalized(global const float *x, global const float *scale, global float *y, int n, int rows) {
  int row = get_global_id(0);
  if (row >= rows) return;
  global const float *r = x + row * n;
  float mean = 0, square = 0;
  for (int i = 0; i < n; i++) mean += r[i];
  mean /= n;
  for (int i = 0; i < n; i++) square += (r[i] - mean) * (r[i] - mean);
  float inverse = 1.0f / sqrt(square / n + 1e-5f);
  for (int i = 0; i < n; i++) y[row * n + i] = (r[i] - mean) * inverse * scale[i];
}

// What it sums is what it writes: the row is read for the sum.
kernel void shares(global const float *x, global float *y, global float *sums, uint n) {
  uint row = get_global_id(0);
  float sum = 0, most = 0;
  for (uint i = 0; i < n; ++i) {
    float e = exp(x[row * n + i]);
    sum += e * (i + 1);
    y[row * n + i] = e;
    most = fmax(most, e);
  }
  sums[row] = sum + most;
  for (uint i = 0; i < n; ++i) y[row * n + i] /= sum;
}

// The row that is written is the one that is read.
kernel void in_place(global int *x, int n) {
  global int *r = x + get_global_id(0) * n;
  int best = r[0];
  for (int i = 1; i < n; ++i) best = (r[i] & 15) > (best & 15) ? r[i] : best;
  for (int i = 0; i < n; ++i) r[i] -= best;
  for (int i = 0; i < n; ++i) best = best * 3 + r[i];
  r[0] = best;
}

kernel void one_hot(global const float *x, global int *y, ulong n) {
  size_t row = get_global_id(0), best = 0;
  for (size_t i = 1; i < n; ++i) if (x[row * n + i] > x[row * n + best]) best = i;
  for (size_t i = 0; i < n; ++i) y[row * n + i] = i == best;
}

// Work-items take different branches, with rows in both.
kernel void both_sides(global const float *x, global float *y, int n) {
  int row = get_global_id(0);
  float s = 1;
  if (x[row * n] > 0.5f) {
    for (int i = 0; i < n; ++i) s = s * 0.5f - x[row * n + i];
    for (int i = 0; i < n; ++i) y[row * n + i] = s;
  } else {
    for (int i = 0; i < n; ++i) y[row * n + i] = 2 * s;
    for (int i = 0; i < n; ++i) s = s * 0.5f - y[row * n + i];
    y[row * n] = s;
  }
}

// What is written depends on what is carried: these stay one loop.
kernel void carried(global const float *x, global float *y, int n) {
  int row = get_global_id(0);
  float s = 0;
  for (int i = 0; i < n; ++i) {
    s += x[row * n + i];
    y[row * n + i] = s;
  }
  for (int i = 0; i < n; ++i) y[row * n + i] -= s;
}

// The second store may be where the first one was.
kernel void two_rows(global const float *x, global float *y, global float *out, int n) {
  int row = get_global_id(0);
  float s = 0;
  for (int i = 0; i < n; ++i) {
    float v = x[row * n + i];
    y[row * (n + 1) + i] = v;
    y[row * (n + 1) + i + 1] = 2 * v;
    s += v;
  }
  out[row] = s;
}
