#include "common.h"

// A step of a bitonic sort: pairs at the distance 2^STAGE, in descending order where bit 15 is set.
#ifndef PAIRING
#define PAIRING 0
#endif
#ifdef SORT_STEP
kernel void sort_step(global float *x, int width, int stage) {
  ID n = WIDTH;
  WORK(i, n / 2) {
#if PAIRING == 0
    ID distance = (ID)1 << stage, a = (i / distance) * 2 * distance + i % distance, b = a + distance;
#elif PAIRING == 1
    ID distance = (ID)1 << stage, a = ((i >> stage) << (stage + 1)) + (i & (distance - 1));
    ID b = a + distance;
#else
    ID distance = (ID)1 << stage, a = 2 * i - (i & (distance - 1)), b = a | distance;
#endif
    float u = x[a], v = x[b];
#if defined MINMAX
    bool down = a & 32768;
    x[a] = down ? fmax(u, v) : fmin(u, v);
    x[b] = down ? fmin(u, v) : fmax(u, v);
#elif defined SELECT
    bool swap = ((a & 32768) != 0) != (u > v);
    x[a] = swap ? v : u;
    x[b] = swap ? u : v;
#else
    if (((a & 32768) == 0) == (u > v)) {
      x[a] = v;
      x[b] = u;
    }
#endif
  }
}
#endif

// Each work-item's sequence of 8 complex numbers: its Fourier transform.
#define R 0.70710678f
float2 turn(float2 v, float c, float s) { return (float2)(v.x * c - v.y * s, v.x * s + v.y * c); }
#define BUTTERFLY(a, b) { float2 t = a; a = t + b; b = t - b; }
#define MINUS_I(v) v = (float2)(v.y, -v.x);
#ifdef FFT8
kernel void fft8(global const float2 *in, global float2 *out, int width) {
  ID n = WIDTH;
  WORK(i, n) {
#if defined PARTS
    float re[8], im[8];
    for (int k = 0; k < 8; k++) { re[k] = in[k * n + i].x; im[k] = in[k * n + i].y; }
    for (int step = 4; step > 0; step /= 2)
      for (int k = 0; k < 8; k++)
        if (!(k & step)) {
          float ar = re[k], ai = im[k], br = re[k + step], bi = im[k + step];
          float angle = -3.14159265f * (k & (step - 1)) / step;
          float c = cos(angle), s = sin(angle), dr = ar - br, di = ai - bi;
          re[k] = ar + br; im[k] = ai + bi;
          re[k + step] = dr * c - di * s; im[k + step] = dr * s + di * c;
        }
    for (int k = 0; k < 8; k++) {
      int from = (k & 1) << 2 | (k & 2) | k >> 2;
      out[k * n + i] = (float2)(re[from], im[from]);
    }
#else
#if defined ARRAY
    float2 v[8];
    for (int k = 0; k < 8; k++) v[k] = in[k * n + i];
    for (int k = 0; k < 4; k++) BUTTERFLY(v[k], v[k + 4])
    v[5] = turn(v[5], R, -R); MINUS_I(v[6]) v[7] = turn(v[7], -R, -R);
    for (int h = 0; h < 8; h += 4) {
      BUTTERFLY(v[h], v[h + 2]) BUTTERFLY(v[h + 1], v[h + 3])
      MINUS_I(v[h + 3])
      BUTTERFLY(v[h], v[h + 1]) BUTTERFLY(v[h + 2], v[h + 3])
    }
#define V(k) v[k]
#else
    float2 v0 = in[i], v1 = in[n + i], v2 = in[2 * n + i], v3 = in[3 * n + i];
    float2 v4 = in[4 * n + i], v5 = in[5 * n + i], v6 = in[6 * n + i], v7 = in[7 * n + i];
    BUTTERFLY(v0, v4) BUTTERFLY(v1, v5) BUTTERFLY(v2, v6) BUTTERFLY(v3, v7)
    v5 = turn(v5, R, -R); MINUS_I(v6) v7 = turn(v7, -R, -R);
    BUTTERFLY(v0, v2) BUTTERFLY(v1, v3) MINUS_I(v3)
    BUTTERFLY(v4, v6) BUTTERFLY(v5, v7) MINUS_I(v7)
    BUTTERFLY(v0, v1) BUTTERFLY(v2, v3) BUTTERFLY(v4, v5) BUTTERFLY(v6, v7)
#define V(k) v##k
#endif
    out[i] = V(0); out[n + i] = V(4); out[2 * n + i] = V(2); out[3 * n + i] = V(6);
    out[4 * n + i] = V(1); out[5 * n + i] = V(5); out[6 * n + i] = V(3); out[7 * n + i] = V(7);
#endif
  }
}
#endif

// y = A x; rows of A are compressed.
float row_sum(global const float *values, global const int *columns, global const float *x, int first, int last) {
  float sum = 0;
  REPEAT(k, first, last) sum += values[k] * x[columns[k]];
  return sum;
}
#ifdef SPMV
kernel void spmv(global const float *values, global const int *columns, global const int *rows, global const float *x, global float *y, int width) {
  ID n = WIDTH;
  WORK(i, n) {
#if defined CALL
    y[i] = row_sum(values, columns, x, rows[i], rows[i + 1]);
#elif defined MEMORY_SUM
    y[i] = 0;
    REPEAT(k, rows[i], rows[i + 1]) y[i] += values[k] * x[columns[k]];
#elif defined BEFORE
    ID next = rows[i], last = rows[i + 1];
    float sum = 0;
    while (next < last) { ID k = next++; sum += values[k] * x[columns[k]]; }
    y[i] = sum;
#elif defined TWO_SUMS
    float even = 0, odd = 0;
    ID k = rows[i], last = rows[i + 1];
    for (; k + 1 < last; k += 2) {
      even += values[k] * x[columns[k]];
      odd += values[k + 1] * x[columns[k + 1]];
    }
    if (k < last) even += values[k] * x[columns[k]];
    y[i] = even + odd;
#else
    ID first = rows[i], last = rows[i + 1];
    float sum = 0;
    REPEAT(k, first, last) sum += values[k] * x[columns[k]];
    y[i] = sum;
#endif
  }
}
#endif

// Accelerations of bodies: x, y, z, mass.
#ifdef NBODY
kernel void nbody(global const float4 *bodies, global float4 *out, int width) {
  ID n = WIDTH;
#ifdef LOCAL_TILE
  local float4 tile[64];
  ID i = get_global_id(0), l = get_local_id(0);
  float4 me = bodies[i], sum = 0;
  for (ID t = 0; t < n; t += 64) {
    tile[l] = bodies[t + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    REPEAT(j, 0, 64) {
      float4 d = tile[j] - me;
      d.w = 0;
      float q = rsqrt(dot(d, d) + 0.01f);
      sum += d * (tile[j].w * q * q * q);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = sum;
#else
  WORK(i, n) {
#if defined SCALARS
    global const float *all = (global const float *)bodies;
    float px = all[4 * i], py = all[4 * i + 1], pz = all[4 * i + 2], ax = 0, ay = 0, az = 0;
    REPEAT(j, 0, n) {
      float dx = all[4 * j] - px, dy = all[4 * j + 1] - py, dz = all[4 * j + 2] - pz;
      float q = rsqrt(dx * dx + dy * dy + dz * dz + 0.01f), s = all[4 * j + 3] * q * q * q;
      ax += dx * s; ay += dy * s; az += dz * s;
    }
    out[i] = (float4)(ax, ay, az, 0);
#elif defined ARRAY
    float sum[3] = {0, 0, 0}, d[3];
    float me[3] = {bodies[i].x, bodies[i].y, bodies[i].z};
    REPEAT(j, 0, n) {
      float4 other = bodies[j];
      d[0] = other.x - me[0]; d[1] = other.y - me[1]; d[2] = other.z - me[2];
      float r = 0.01f;
      for (int k = 0; k < 3; k++) r += d[k] * d[k];
      float q = rsqrt(r), s = other.w * q * q * q;
      for (int k = 0; k < 3; k++) sum[k] += d[k] * s;
    }
    out[i] = (float4)(sum[0], sum[1], sum[2], 0);
#elif defined SKIP_SELF
    float3 me = bodies[i].xyz, sum = 0;
    REPEAT(j, 0, n) {
      if (j == i) continue;
      float3 d = bodies[j].xyz - me;
      float q = rsqrt(dot(d, d) + 0.01f);
      sum += d * (bodies[j].w * q * q * q);
    }
    out[i] = (float4)(sum, 0);
#else
    float4 me = bodies[i], sum = 0;
    REPEAT(j, 0, n) {
      float4 d = bodies[j] - me;
      d.w = 0;
      float q = rsqrt(dot(d, d) + 0.01f);
      sum += d * (bodies[j].w * q * q * q);
    }
    out[i] = sum;
#endif
  }
#endif
}
#endif

// Call options: exp, log, and a polynomial for the normal distribution.
float normal_cdf(float d) {
  float k = 1 / (1 + 0.2316419f * fabs(d));
  float tail = 0.39894228f * exp(-0.5f * d * d) * k
               * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
#ifdef SELECT
  return d > 0 ? 1 - tail : tail;
#elif defined SIDES
  float result;
  if (d > 0) result = 1 - tail;
  else result = tail;
  return result;
#else
  if (d > 0) return 1 - tail;
  return tail;
#endif
}
#ifdef PRICING
kernel void pricing(global const float *price, global const float *strike, global float *out, int width) {
  ID n = WIDTH;
#ifdef VECTORS
  WORK(i, n) {
    for (int k = 0; k < 4; k++) {
      float4 s4 = vload4(i, price), x4 = vload4(i, strike);
      float s = k == 0 ? s4.x : k == 1 ? s4.y : k == 2 ? s4.z : s4.w;
      float x = k == 0 ? x4.x : k == 1 ? x4.y : k == 2 ? x4.z : x4.w;
      float d1 = (log(s / x) + 0.065f) / 0.3f;
      out[4 * i + k] = s * normal_cdf(d1) - x * exp(-0.02f) * normal_cdf(d1 - 0.3f);
    }
  }
#else
  WORK(i, n) {
    float s = price[i], x = strike[i];
    float d1 = (log(s / x) + 0.065f) / 0.3f;
    out[i] = s * normal_cdf(d1) - x * exp(-0.02f) * normal_cdf(d1 - 0.3f);
  }
#endif
}
#endif

// How many of 64 random points are in the circle.
#ifdef STRUCTURE
typedef struct { uint state; } Random;
float next(Random *r) {
  r->state ^= r->state << 13; r->state ^= r->state >> 17; r->state ^= r->state << 5;
  return (r->state >> 8) * (1.0f / 16777216);
}
#define SEED(i) Random random = {(i) * 2654435761u + 1}
#define NEXT next(&random)
#elif defined POINTER
float next(uint *r) {
  *r ^= *r << 13; *r ^= *r >> 17; *r ^= *r << 5;
  return (*r >> 8) * (1.0f / 16777216);
}
#define SEED(i) uint random = (i) * 2654435761u + 1
#define NEXT next(&random)
#else
#define SEED(i) uint random = (i) * 2654435761u + 1
#define NEXT (random ^= random << 13, random ^= random >> 17, random ^= random << 5, (random >> 8) * (1.0f / 16777216))
#endif
#ifdef MONTE_CARLO
kernel void monte_carlo(global uint *out, int width) {
  ID n = WIDTH;
  WORK(i, n) {
    SEED((uint)i);
    uint hits = 0;
    REPEAT(k, 0, 64) {
      float x = NEXT, y = NEXT;
#if defined SELECT
      hits += x * x + y * y < 1 ? 1 : 0;
#elif defined FLAG
      hits += x * x + y * y < 1;
#elif defined SKIP_OTHERS
      if (x * x + y * y >= 1) continue;
      hits++;
#else
      if (x * x + y * y < 1) hits++;
#endif
    }
    out[i] = hits;
  }
}
#endif

// FNV-1a of strings of up to 16 bytes, which end with 0.
#ifdef HASH
kernel void hash(global const uchar *text, global uint *out, int width) {
  ID n = WIDTH;
  WORK(i, n) {
    uint h = 2166136261u;
#if defined POINTER
    for (global const uchar *p = text + 16 * i; *p; p++) h = (h ^ *p) * 16777619u;
#elif defined COPY
    uchar own[17];
    for (int k = 0; k < 16; k++) own[k] = text[16 * i + k];
    own[16] = 0;
    for (int k = 0; own[k]; k++) h = (h ^ own[k]) * 16777619u;
#elif defined WHILE
    ID k = 0;
    while (k < 16 && text[16 * i + k] != 0) { h ^= text[16 * i + k]; h *= 16777619u; k++; }
#elif defined SELECT
    bool going = true;
    REPEAT(k, 0, 16) {
      uchar c = text[16 * i + k];
      going = going && c;
      h = going ? (h ^ c) * 16777619u : h;
    }
#else
    REPEAT(k, 0, 16) {
      uchar c = text[16 * i + k];
      if (c == 0) break;
      h = (h ^ c) * 16777619u;
    }
#endif
    out[i] = h;
  }
}
#endif
