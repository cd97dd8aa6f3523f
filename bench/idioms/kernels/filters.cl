#include "common.h"

#define CLAMPED(i, n) clamp((int)(i), 0, (int)(n) - 1)

// A bilateral filter: weights fall with the distance, and with the difference of values.
#ifdef BILATERAL
#ifdef TABLE
constant float near[5] = {0.13533528f, 0.60653066f, 1, 0.60653066f, 0.13533528f};
#define NEAR(i, j) (near[(i) + 2] * near[(j) + 2])
#else
#define NEAR(i, j) exp(-0.5f * ((i) * (i) + (j) * (j)))
#endif
float alike(float d) { return exp(-8 * d * d); }

kernel void bilateral(global const float *in, global float *out, int width, int height) {
  ID w = WIDTH, h = HEIGHT;
  WORK2(x, y, w, h) {
    float middle = in[y * w + x], sum = 0, total = 0;
#if defined ROWS
    for (int j = -2; j <= 2; j++) {
      global const float *row = in + CLAMPED((int)y + j, h) * w;
      for (int i = -2; i <= 2; i++) {
        float v = row[CLAMPED((int)x + i, w)], weight = NEAR(i, j) * alike(v - middle);
        sum += weight * v;
        total += weight;
      }
    }
#elif defined ONE_LOOP
    for (int k = 0; k < 25; k++) {
      int i = k % 5 - 2, j = k / 5 - 2;
      float v = in[CLAMPED((int)y + j, h) * w + CLAMPED((int)x + i, w)];
      float weight = NEAR(i, j) * alike(v - middle);
      sum += weight * v;
      total += weight;
    }
#elif defined VECTORS
    for (int j = -2; j <= 2; j++)
      for (int i = -2; i <= 2; i++) {
        int2 at = clamp((int2)(x, y) + (int2)(i, j), (int2)(0), (int2)(w - 1, h - 1));
        float v = in[at.y * w + at.x], weight = NEAR(i, j) * alike(v - middle);
        sum += weight * v;
        total += weight;
      }
#elif defined WINDOW
    float window[25];
    for (int k = 0; k < 25; k++)
      window[k] = in[CLAMPED((int)y + k / 5 - 2, h) * w + CLAMPED((int)x + k % 5 - 2, w)];
    for (int j = 0; j < 5; j++)
      for (int i = 0; i < 5; i++) {
        float v = window[5 * j + i], weight = NEAR(i - 2, j - 2) * alike(v - middle);
        sum += weight * v;
        total += weight;
      }
#elif defined MARGIN
    for (int j = 0; j < 5; j++)
      for (int i = 0; i < 5; i++) {
        int a = (int)x + i - 2, b = (int)y + j - 2;
        if (a < 0) a = 0;
        if (b < 0) b = 0;
        if (a >= (int)w) a = w - 1;
        if (b >= (int)h) b = h - 1;
        float v = in[b * w + a], weight = NEAR(i - 2, j - 2) * alike(v - middle);
        sum += weight * v;
        total += weight;
      }
#else
    for (int j = -2; j <= 2; j++)
      for (int i = -2; i <= 2; i++) {
        float v = in[CLAMPED((int)y + j, h) * w + CLAMPED((int)x + i, w)];
        float weight = NEAR(i, j) * alike(v - middle);
        sum += weight * v;
        total += weight;
      }
#endif
    out[y * w + x] = sum / total;
  }
}
#endif

// The inverse of each 3 x 3 matrix.
#ifdef INVERSE
typedef struct { float m[3][3]; } Matrix;
kernel void inverse(global const float *in, global float *out, int width) {
  ID n = WIDTH;
  WORK(i, n) {
#if defined ARRAY || defined ROW_LOOP
    float m[3][3], r[3][3];
    for (int j = 0; j < 3; j++) for (int k = 0; k < 3; k++) m[j][k] = in[9 * i + 3 * j + k];
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
        r[j][k] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
      }
    float s = 1 / (m[0][0] * r[0][0] + m[0][1] * r[1][0] + m[0][2] * r[2][0]);
#ifdef ROW_LOOP
    for (int k = 0; k < 9; k++) out[9 * i + k] = r[k / 3][k % 3] * s;
#else
    for (int j = 0; j < 3; j++) for (int k = 0; k < 3; k++) out[9 * i + 3 * j + k] = r[j][k] * s;
#endif
#elif defined VECTORS
    float3 a = vload3(3 * i, in), b = vload3(3 * i + 1, in), c = vload3(3 * i + 2, in);
    float3 x = cross(b, c), y = cross(c, a), z = cross(a, b);
    float s = 1 / dot(a, x);
    vstore3((float3)(x.x, y.x, z.x) * s, 3 * i, out);
    vstore3((float3)(x.y, y.y, z.y) * s, 3 * i + 1, out);
    vstore3((float3)(x.z, y.z, z.z) * s, 3 * i + 2, out);
#else
#if defined STRUCTURE
    Matrix t = ((global const Matrix *)in)[i];
    float a = t.m[0][0], b = t.m[0][1], c = t.m[0][2], d = t.m[1][0], e = t.m[1][1];
    float f = t.m[1][2], g = t.m[2][0], h = t.m[2][1], k = t.m[2][2];
#elif defined POINTER
    global const float *p = in + 9 * i;
    float a = *p++, b = *p++, c = *p++, d = *p++, e = *p++, f = *p++, g = *p++, h = *p++, k = *p;
#elif defined DIRECT
#define a in[9 * i]
#define b in[9 * i + 1]
#define c in[9 * i + 2]
#define d in[9 * i + 3]
#define e in[9 * i + 4]
#define f in[9 * i + 5]
#define g in[9 * i + 6]
#define h in[9 * i + 7]
#define k in[9 * i + 8]
#else
    float a = in[9 * i], b = in[9 * i + 1], c = in[9 * i + 2];
    float d = in[9 * i + 3], e = in[9 * i + 4], f = in[9 * i + 5];
    float g = in[9 * i + 6], h = in[9 * i + 7], k = in[9 * i + 8];
#endif
    float A = e * k - f * h, B = f * g - d * k, C = d * h - e * g;
    float s = 1 / (a * A + b * B + c * C);
    global float *o = out + 9 * i;
    o[0] = A * s; o[1] = (c * h - b * k) * s; o[2] = (b * f - c * e) * s;
    o[3] = B * s; o[4] = (a * k - c * g) * s; o[5] = (c * d - a * f) * s;
    o[6] = C * s; o[7] = (b * g - a * h) * s; o[8] = (a * e - b * d) * s;
#endif
  }
}
#endif

// A layer of a network: 16 filters of 3 x 3 on 8 channels, with zeros around them.
#ifdef LAYER
#define CHANNELS 8
#define IN(c, y, x) in[((c) * h + (y)) * w + (x)]
#define WEIGHT(f, c, j, i) weights[(((f) * CHANNELS + (c)) * 3 + (j)) * 3 + (i)]
kernel void layer(global const float *in, global const float *weights, global float *out, int width, int height, int depth) {
  ID w = WIDTH, h = HEIGHT, filters = depth;
  WORK3(x, y, f, w, h, filters) {
    float sum = 0;
#if defined SELECT
    for (int c = 0; c < CHANNELS; c++)
      for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
          int a = (int)x + i - 1, b = (int)y + j - 1;
          bool inside = a >= 0 && b >= 0 && a < (int)w && b < (int)h;
          sum += (inside ? IN(c, b, a) : 0.0f) * WEIGHT(f, c, j, i);
        }
#elif defined CONTINUE
    for (int c = 0; c < CHANNELS; c++)
      for (int j = -1; j <= 1; j++) {
        int b = (int)y + j;
        if (b < 0 || b >= (int)h) continue;
        for (int i = -1; i <= 1; i++) {
          int a = (int)x + i;
          if (a < 0 || a >= (int)w) continue;
          sum += IN(c, b, a) * WEIGHT(f, c, j + 1, i + 1);
        }
      }
#elif defined CHANNELS_LAST
    for (int j = 0; j < 3; j++)
      for (int i = 0; i < 3; i++) {
        int a = (int)x + i - 1, b = (int)y + j - 1;
        if (a < 0 || b < 0 || a >= (int)w || b >= (int)h) continue;
        for (int c = 0; c < CHANNELS; c++) sum += IN(c, b, a) * WEIGHT(f, c, j, i);
      }
#elif defined ONE_LOOP
    for (int k = 0; k < 9 * CHANNELS; k++) {
      int c = k / 9, a = (int)x + k % 3 - 1, b = (int)y + k / 3 % 3 - 1;
      if (a >= 0 && b >= 0 && a < (int)w && b < (int)h) sum += IN(c, b, a) * weights[f * 9 * CHANNELS + k];
    }
#elif defined POINTERS
    global const float *weight = weights + f * CHANNELS * 9, *plane = in;
    for (int c = 0; c < CHANNELS; c++, plane += w * h)
      for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++, weight++) {
          int a = (int)x + i, b = (int)y + j;
          if (a >= 0 && b >= 0 && a < (int)w && b < (int)h) sum += plane[b * w + a] * *weight;
        }
#elif defined COUNTED
    int first = max(1 - (int)x, 0), end = min((int)w + 1 - (int)x, 3);
    for (int c = 0; c < CHANNELS; c++)
      for (int j = max(1 - (int)y, 0); j < min((int)h + 1 - (int)y, 3); j++)
        for (int i = first; i < end; i++) sum += IN(c, y + j - 1, x + i - 1) * WEIGHT(f, c, j, i);
#else
    for (int c = 0; c < CHANNELS; c++)
      for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
          int a = (int)x + i - 1, b = (int)y + j - 1;
          if (a >= 0 && b >= 0 && a < (int)w && b < (int)h) sum += IN(c, b, a) * WEIGHT(f, c, j, i);
        }
#endif
    out[(f * h + y) * w + x] = fmax(sum, 0.0f);
  }
}
#endif
