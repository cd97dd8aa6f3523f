// Kernels that are cut for several workers: each launch is compared with itself in one piece.

// A map, with ids of all kinds.
// LAUNCH: kernel=scale global=1000 local=10 args: x=rand:f32:1000 y=zeros:f32:1000 a=2.5
// LAUNCH: kernel=scale global=91 local=7 offset=5 args: x=rand:f32:96 y=zeros:f32:96 a=2.5
kernel void scale(global const float *x, global float *y, float a) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + get_group_id(0) + 100 * get_num_groups(0) + get_global_size(0) + get_local_id(0);
}

// A stencil in one dimension, in the middle only: the borders keep their values.
// LAUNCH: kernel=stencil1 global=1024 local=16 args: x=rand:f32:1001 y=rand:f32:1001 n=1001
// LAUNCH: kernel=stencil1 global=994 local=14 offset=7 args: x=rand:f32:1001 y=rand:f32:1001 n=1001
kernel void stencil1(global const float *x, global float *y, int n) {
  int i = get_global_id(0);
  if (i > 0 && i < n - 1)
    y[i] = 0.25f * x[i - 1] + 0.5f * x[i] + 0.25f * x[i + 1];
}

// A stencil in two dimensions with a clamped border.
// LAUNCH: kernel=stencil2 global=40x56 local=8x8 args: x=rand:f32:37x53 y=zeros:f32:37x53 w=37 h=53
// LAUNCH: kernel=stencil2 global=33x49 local=11x7 offset=3x5 args: x=rand:f32:37x53 y=rand:f32:37x53 w=37 h=53
kernel void stencil2(global const float *x, global float *y, int w, int h) {
  int i = get_global_id(0), j = get_global_id(1);
  if (i >= w || j >= h)
    return;
  float sum = 0;
  for (int b = max(0, j - 1); b <= min(h - 1, j + 1); b++)
    for (int a = max(0, i - 1); a <= min(w - 1, i + 1); a++)
      sum += x[b * w + a];
  y[j * w + i] = sum;
}

// A stencil in three dimensions, by an offset without a border.
// LAUNCH: kernel=stencil3 global=8x6x10 local=4x2x1 offset=1x1x1 args: x=rand:f32:12x8x10 y=zeros:f32:12x8x10
// LAUNCH: kernel=stencil3 global=7x5x9 local=7x1x3 offset=2x2x1 args: x=rand:f32:12x8x10 y=rand:f32:12x8x10
kernel void stencil3(global const float *x, global float *y) {
  int w = 10, h = 8, i = get_global_id(0), j = get_global_id(1), k = get_global_id(2);
  int at = (k * h + j) * w + i;
  y[at] = x[at - 1] + x[at + 1] + x[at - w] + x[at + w] + x[at - w * h] + x[at + w * h] - 6 * x[at];
}

// LAUNCH: kernel=transpose global=32x48 local=8x4 args: x=rand:f32:29x45 y=zeros:f32:29x45 w=29 h=45
// LAUNCH: kernel=transpose global=27x42 local=9x6 offset=2x3 args: x=rand:f32:29x45 y=rand:f32:29x45 w=29 h=45
kernel void transpose(global const float *x, global float *y, int w, int h) {
  int i = get_global_id(0), j = get_global_id(1);
  if (i < w && j < h)
    y[i * h + j] = x[j * w + i];
}

// LAUNCH: kernel=matmul global=24x40 local=8x8 args: a=rand:f32:37x31 b=rand:f32:31x23 c=zeros:f32:37x23 m=37 n=23 k=31
// LAUNCH: kernel=matmul global=22x35 local=11x5 offset=1x2 args: a=rand:f32:37x31 b=rand:f32:31x23 c=rand:f32:37x23 m=37 n=23 k=31
kernel void matmul(global const float *a, global const float *b, global float *c, int m, int n,
                   int k) {
  int j = get_global_id(0), i = get_global_id(1);
  if (i >= m || j >= n)
    return;
  float sum = 0;
  for (int p = 0; p < k; p++)
    sum += a[i * k + p] * b[p * n + j];
  c[i * n + j] = sum;
}

// LAUNCH: kernel=matmul_tiled global=48x48 local=16x16 args: a=rand:f32:48x48 b=rand:f32:48x48 c=zeros:f32:48x48 n=48 tile=local:1024
// LAUNCH: kernel=matmul_tiled global=64x80 local=16x16 offset=16x0 args: a=rand:f32:80x80 b=rand:f32:80x80 c=rand:f32:80x80 n=80 tile=local:1024
kernel void matmul_tiled(global const float *a, global const float *b, global float *c, int n,
                         local float *tile) {
  local float other[16][16];
  int x = get_global_id(0), y = get_global_id(1), i = get_local_id(0), j = get_local_id(1);
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    tile[j * 16 + i] = a[y * n + t + i];
    other[j][i] = b[(t + j) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; k++)
      sum += tile[j * 16 + k] * other[k][i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = sum;
}

// Sums of groups by a tree in local memory.
// LAUNCH: kernel=sums global=1056 local=32 args: x=rand:f32:1001 out=zeros:f32:33 tile=local:128 n=1001
// LAUNCH: kernel=sums global=992 local=32 offset=9 args: x=rand:f32:1001 out=rand:f32:31 tile=local:128 n=1001
kernel void sums(global const float *x, global float *out, local float *tile, int n) {
  int l = get_local_id(0), g = get_global_id(0);
  tile[l] = g < n ? x[g] : 0;
  for (int s = get_local_size(0) / 2; s > 0; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s)
      tile[l] += tile[l + s];
  }
  if (l == 0)
    out[get_group_id(0)] = tile[0];
}

// LAUNCH: kernel=histogram global=990 local=11 args: x=rand:u32:990 bins=rand:i32:16:0:9
// LAUNCH: kernel=histogram global=975 local=13 offset=15 args: x=rand:u32:990 bins=rand:i32:16:0:9
kernel void histogram(global const uint *x, global int *bins) {
  atomic_inc(&bins[x[get_global_id(0)] & 15]);
}

// Least and greatest values by atomics in two buffers.
// LAUNCH: kernel=extremes global=777 local=7 args: x=rand:i32:777 least=rand:i32:1 most=rand:i32:1
// LAUNCH: kernel=extremes global=763 local=7 offset=11 args: x=rand:i32:777 least=rand:i32:1 most=rand:i32:1
kernel void extremes(global const int *x, global int *least, global int *most) {
  atomic_min(least, x[get_global_id(0)]);
  atomic_max(most, x[get_global_id(0)]);
}

// All pairs of bodies.
// LAUNCH: kernel=nbody global=60 local=4 args: pos=rand:f32:60x4:-1:1 vel=rand:f32:60x4:-1:1 out=zeros:f32:60x4 n=60 dt=0.01
// LAUNCH: kernel=nbody global=55 local=5 offset=5 args: pos=rand:f32:60x4:-1:1 vel=rand:f32:60x4:-1:1 out=rand:f32:60x4 n=60 dt=0.01
kernel void nbody(global const float4 *pos, global float4 *vel, global float4 *out, int n, float dt) {
  int g = get_global_id(0);
  float4 me = pos[g], force = 0;
  for (int i = 0; i < n; i++) {
    float4 d = pos[i] - me;
    float r2 = d.x * d.x + d.y * d.y + d.z * d.z + 0.0625f;
    force += d * (pos[i].w / (r2 * sqrt(r2)));
  }
  vel[g] += force * dt;
  out[g] = me + vel[g] * dt;
}

// One step of k-means: the nearest centre, and counts in fixed point.
// LAUNCH: kernel=kmeans global=520 local=8 args: points=rand:f32:520x2 centres=rand:f32:4x2 nearest=zeros:i32:520 sums=zeros:i32:4x3
// LAUNCH: kernel=kmeans global=511 local=7 offset=9 args: points=rand:f32:520x2 centres=rand:f32:4x2 nearest=rand:i32:520 sums=rand:i32:4x3
kernel void kmeans(global const float2 *points, constant float2 *centres, global int *nearest,
                   global int *sums) {
  float2 p = points[get_global_id(0)];
  int best = 0;
  float least = INFINITY;
  for (int i = 0; i < 4; ++i) {
    float2 d = p - centres[i];
    float square = d.x * d.x + d.y * d.y;
    if (square < least) {
      least = square;
      best = i;
    }
  }
  nearest[get_global_id(0)] = best;
  atomic_add(&sums[best * 3], (int)(p.x * 1024.0f));
  atomic_add(&sums[best * 3 + 1], (int)(p.y * 1024.0f));
  atomic_inc(&sums[best * 3 + 2]);
}

// LAUNCH: kernel=black_scholes global=500 local=20 args: price=rand:f32:500:10:100 strike=rand:f32:500:10:100 call=zeros:f32:500 put=zeros:f32:500
// LAUNCH: kernel=black_scholes global=495 local=9 offset=5 args: price=rand:f32:500:10:100 strike=rand:f32:500:10:100 call=rand:f32:500 put=rand:f32:500
kernel void black_scholes(global const float *price, global const float *strike, global float *call,
                          global float *put) {
  size_t i = get_global_id(0);
  float s = price[i], x = strike[i], t = 0.5f, r = 0.02f, v = 0.3f;
  float d1 = (log(s / x) + (r + 0.5f * v * v) * t) / (v * sqrt(t)), d2 = d1 - v * sqrt(t);
  float a = 0.5f * erfc(-d1 * 0.70710678f), b = 0.5f * erfc(-d2 * 0.70710678f);
  call[i] = s * a - x * exp(-r * t) * b;
  put[i] = x * exp(-r * t) * (1 - b) - s * (1 - a);
}

// A step of gaussian elimination: the multipliers, and the rows below.
// LAUNCH: kernel=fan1 global=32 local=4 args: m=zeros:f32:30x30 a=rand:f32:30x30 n=30 t=7
// LAUNCH: kernel=fan1 global=25 local=5 offset=3 args: m=rand:f32:30x30 a=rand:f32:30x30 n=30 t=3
kernel void fan1(global float *m, global const float *a, int n, int t) {
  int i = get_global_id(0);
  if (i < n - 1 - t)
    m[n * (i + t + 1) + t] = a[n * (i + t + 1) + t] / a[n * t + t];
}

// LAUNCH: kernel=fan2 global=32x32 local=4x4 args: m=rand:f32:30x30 a=rand:f32:30x30 n=30 t=7
// LAUNCH: kernel=fan2 global=27x25 local=9x5 offset=1x2 args: m=rand:f32:30x30 a=rand:f32:30x30 n=30 t=0
kernel void fan2(global const float *m, global float *a, int n, int t) {
  int i = get_global_id(1), j = get_global_id(0);
  if (i < n - 1 - t && j < n - t)
    a[n * (i + 1 + t) + (j + t)] -= m[n * (i + 1 + t) + t] * a[n * t + (j + t)];
}

// A convolution with a table of factors.
// LAUNCH: kernel=convolution global=36x28 local=4x4 args: x=rand:f32:28x36 factors=rand:f32:5x5 y=zeros:f32:28x36 w=36 h=28 r=2
// LAUNCH: kernel=convolution global=33x25 local=11x5 offset=3x3 args: x=rand:f32:28x36 factors=rand:f32:5x5 y=rand:f32:28x36 w=36 h=28 r=2
kernel void convolution(global const float *x, constant float *factors, global float *y, int w, int h,
                        int r) {
  int i = get_global_id(0), j = get_global_id(1);
  float sum = 0;
  for (int b = -r; b <= r; b++)
    for (int a = -r; a <= r; a++)
      sum += factors[(b + r) * (2 * r + 1) + a + r]
             * x[clamp(j + b, 0, h - 1) * w + clamp(i + a, 0, w - 1)];
  y[j * w + i] = sum;
}

// Prefix sums of blocks, and the sum of each block.
// LAUNCH: kernel=scan global=704 local=32 args: x=rand:u32:704 y=zeros:u32:704 sums=zeros:u32:22
// LAUNCH: kernel=scan global=672 local=32 offset=32 args: x=rand:u32:704 y=rand:u32:704 sums=rand:u32:22
kernel void scan(global const uint *x, global uint *y, global uint *sums) {
  local uint tile[32];
  int l = get_local_id(0);
  tile[l] = x[get_global_id(0)];
  for (int d = 1; d < 32; d *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    uint before = l >= d ? tile[l - d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] += before;
  }
  y[get_global_id(0)] = tile[l];
  if (l == 31)
    sums[get_group_id(0)] = tile[l];
}

// A gather: which element is read is in memory.
// LAUNCH: kernel=gather global=300 local=10 args: x=rand:f32:500 at=rand:i32:300:0:499 y=zeros:f32:300
kernel void gather(global const float *x, global const int *at, global float *y) {
  size_t i = get_global_id(0);
  y[i] = x[at[i]];
}

// Written where the data says so: the other elements keep their values.
// LAUNCH: kernel=threshold global=700 local=7 args: x=rand:f32:700 y=rand:f32:700
kernel void threshold(global const float *x, global float *y) {
  size_t i = get_global_id(0);
  if (x[i] > 0.5f)
    y[i] = x[i];
}

// Groups of several sizes.
// LAUNCH: kernel=uneven global=103 local=8 options="-cl-std=CL2.0" args: y=zeros:i32:103
kernel void uneven(global int *y) {
  y[get_global_id(0)] = get_local_size(0) * 1000 + get_enqueued_local_size(0) * 100 + get_group_id(0);
}

float third(global const float *x, int i) { return x[i] / 3; }

// Accesses in functions, by offset pointers and by vloadn.
// LAUNCH: kernel=pointers global=400 local=8 args: x=rand:f32:1604 y=zeros:f32:1600
kernel void pointers(global const float *x, global float *y) {
  size_t i = get_global_id(0);
  global const float *mine = x + 4 * i;
  float4 v = vload4(i, x) + third(mine, 4) + *(mine + 1);
  vstore4(v, 0, y + 4 * i);
}

// Two kinds of vectors in one buffer.
// LAUNCH: kernel=casts global=128 local=4 args: x=rand:f32:512 y=zeros:f32:512
kernel void casts(global const float *x, global float *y) {
  size_t i = get_global_id(0);
  ((global float4 *)y)[i] = ((global const float4 *)x)[i].wzyx;
}
