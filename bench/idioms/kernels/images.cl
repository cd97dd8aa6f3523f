#include "common.h"

// Grey values of rgb triples.
#ifdef GREY
kernel void grey(global const uchar *in, global uchar *out, int width) {
  ID n = WIDTH;
#if defined FLOATS
  WORK(i, n) {
    float v = 0.299f * in[3 * i] + 0.587f * in[3 * i + 1] + 0.114f * in[3 * i + 2];
    out[i] = (uchar)v;
  }
#elif defined LOAD3
  WORK(i, n) {
    int3 v = convert_int3(vload3(i, in));
    out[i] = (77 * v.x + 150 * v.y + 29 * v.z) >> 8;
  }
#elif defined POINTER
  WORK(i, n) {
    global const uchar *p = in + 3 * i;
    int r = p[0], g = p[1], b = p[2];
    out[i] = (77 * r + 150 * g + 29 * b) / 256;
  }
#elif defined ARRAY
  WORK(i, n) {
    int weights[3] = {77, 150, 29}, sum = 0;
    for (int k = 0; k < 3; k++) sum += weights[k] * in[3 * i + k];
    out[i] = sum >> 8;
  }
#elif defined UINTS
  WORK(i, n) {
    uint r = in[3 * i], g = in[3 * i + 1], b = in[3 * i + 2];
    out[i] = convert_uchar((77 * r + 150 * g + 29 * b) >> 8);
  }
#else
  WORK(i, n) { out[i] = (77 * in[3 * i] + 150 * in[3 * i + 1] + 29 * in[3 * i + 2]) >> 8; }
#endif
}
#endif

// The mean of 3 x 3 bytes, clamped at the border.
#define P(x, y) in[(y) * w + (x)]
#ifdef BLUR
kernel void blur(global const uchar *in, global uchar *out, int width, int height) {
  ID w = WIDTH, h = HEIGHT;
  WORK2(x, y, w, h) {
    ID l = LESS(x, 1, w), r = MORE(x, 1, w), a = LESS(y, 1, h), b = MORE(y, 1, h);
#if defined ARRAY
    ID xs[3] = {l, x, r}, ys[3] = {a, y, b};
    int sum = 0;
    for (int j = 0; j < 3; j++) for (int i = 0; i < 3; i++) sum += P(xs[i], ys[j]);
#else
    int sum = P(l, a) + P(x, a) + P(r, a) + P(l, y) + P(x, y) + P(r, y) + P(l, b) + P(x, b) + P(r, b);
#endif
#if defined SATURATE
    out[y * w + x] = convert_uchar_sat(sum * 57 >> 9);
#else
    out[y * w + x] = sum * 57 >> 9;
#endif
  }
}
#endif

// exp(x - largest) / sum of them, of each row.
#ifdef SOFTMAX
kernel void softmax(global const float *in, global float *out, int width, int height) {
  ID n = WIDTH;
#if defined GROUP
  // A group for each row.
  local float part[64];
  ID l = get_local_id(0), row = get_group_id(0);
  float most = -INFINITY, sum = 0;
  for (ID k = l; k < n; k += 64) most = fmax(most, in[row * n + k]);
  part[l] = most;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (ID step = 32; step > 0; step /= 2) {
    if (l < step) part[l] = fmax(part[l], part[l + step]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  most = part[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (ID k = l; k < n; k += 64) sum += exp(in[row * n + k] - most);
  part[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (ID step = 32; step > 0; step /= 2) {
    if (l < step) part[l] += part[l + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  sum = part[0];
  for (ID k = l; k < n; k += 64) out[row * n + k] = exp(in[row * n + k] - most) / sum;
#else
  WORK(row, height) {
    float most = -INFINITY, sum = 0;
#if defined END
    for (global const float *p = in + row * n, *end = p + n; p < end;) most = fmax(most, *p++);
#elif defined BEFORE
    ID last = 0;
    while (last < n) { ID k = last++; most = fmax(most, in[row * n + k]); }
#elif defined DO
    ID last = 0;
    do { most = fmax(most, in[row * n + last]); last++; } while (last != n);
#elif defined SPAN
    REPEAT(k, row * n, (row + 1) * n) most = fmax(most, in[k]);
#elif defined SELECT
    REPEAT(k, 0, n) most = in[row * n + k] > most ? in[row * n + k] : most;
#elif defined BRANCH
    REPEAT(k, 0, n) if (in[row * n + k] > most) most = in[row * n + k];
#else
    REPEAT(k, 0, n) most = fmax(most, in[row * n + k]);
#endif
#if defined STORED
    REPEAT(k, 0, n) { float e = exp(in[row * n + k] - most); out[row * n + k] = e; sum += e; }
    REPEAT(k, 0, n) out[row * n + k] /= sum;
#elif defined SPAN
    REPEAT(k, row * n, row * n + n) sum += exp(in[k] - most);
    REPEAT(k, row * n, row * n + n) out[k] = exp(in[k] - most) / sum;
#elif defined END
    global const float *p = in + row * n, *end = p + n;
    global float *q = out + row * n;
    while (p != end) sum += exp(*p++ - most);
    for (p -= n; p < end; ++p, ++q) *q = exp(*p - most) / sum;
#elif defined BEFORE
    ID left = 0;
    while (left < n) { ID k = left++; sum += exp(in[row * n + k] - most); }
    left = 0;
    while (left < n) { ID k = left++; out[row * n + k] = exp(in[row * n + k] - most) / sum; }
#elif defined DO
    ID k = 0;
    do { sum += exp(in[row * n + k] - most); ++k; } while (k != n);
    k = 0;
    for (;;) { out[row * n + k] = exp(in[row * n + k] - most) / sum; if (++k == n) break; }
#elif defined POINTER
    global const float *p = in + row * n;
    global float *q = out + row * n;
    for (ID k = n; k > 0; k--) sum += exp(*p++ - most);
    p = in + row * n;
    for (ID k = n; k > 0; k--) *q++ = exp(*p++ - most) / sum;
#else
    REPEAT(k, 0, n) sum += exp(in[row * n + k] - most);
#if defined INVERSE
    float inverse = 1 / sum;
    REPEAT(k, 0, n) out[row * n + k] = exp(in[row * n + k] - most) * inverse;
#else
    REPEAT(k, 0, n) out[row * n + k] = exp(in[row * n + k] - most) / sum;
#endif
#endif
  }
#endif
}
#endif
