#include "common.h"

#ifndef TILE
#define TILE 16
#endif

#ifdef PRODUCT
#if defined LOCAL_TILE
kernel void product(global const float *a, global const float *b, global float *c, int width) {
  local float as[TILE][TILE + PAD], bs[TILE][TILE + PAD];
  ID n = WIDTH, x = get_global_id(0), y = get_global_id(1);
  ID lx = get_local_id(0), ly = get_local_id(1);
  float sum = 0;
  for (ID t = 0; t < n; t += TILE) {
    as[ly][lx] = a[y * n + t + lx];
    bs[ly][lx] = b[(t + ly) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    REPEAT(k, 0, TILE) sum += as[ly][k] * bs[k][lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = sum;
}
#elif defined REGISTER_TILE
// Four columns and four rows a work-item, TILE apart.
kernel void product(global const float *a, global const float *b, global float *c, int width) {
  local float as[4 * TILE][TILE], bs[TILE][4 * TILE];
  ID n = WIDTH, lx = get_local_id(0), ly = get_local_id(1);
  ID x = get_group_id(0) * 4 * TILE + lx, y = get_group_id(1) * 4 * TILE + ly;
  float sum[4][4];
  for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) sum[i][j] = 0;
  for (ID t = 0; t < n; t += TILE) {
    for (int i = 0; i < 4; i++) {
      as[ly + i * TILE][lx] = a[(y + i * TILE) * n + t + lx];
      bs[ly][lx + i * TILE] = b[(t + ly) * n + x + i * TILE];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    REPEAT(k, 0, TILE)
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) sum[i][j] += as[ly + i * TILE][k] * bs[k][lx + j * TILE];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) c[(y + i * TILE) * n + x + j * TILE] = sum[i][j];
}
#elif defined COLUMN_TILE
// Four columns a work-item.
kernel void product(global const float *a, global const float *b, global float *c, int width) {
  ID n = WIDTH, x = 4 * get_global_id(0), y = get_global_id(1);
#if COLUMN_TILE == 1
  float sum[4] = {0, 0, 0, 0};
  REPEAT(k, 0, n) for (int j = 0; j < 4; j++) sum[j] += a[y * n + k] * b[k * n + x + j];
  for (int j = 0; j < 4; j++) c[y * n + x + j] = sum[j];
#elif COLUMN_TILE == 2
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  REPEAT(k, 0, n) {
    float value = a[y * n + k];
    s0 += value * b[k * n + x];
    s1 += value * b[k * n + x + 1];
    s2 += value * b[k * n + x + 2];
    s3 += value * b[k * n + x + 3];
  }
  c[y * n + x] = s0; c[y * n + x + 1] = s1; c[y * n + x + 2] = s2; c[y * n + x + 3] = s3;
#else
  float4 sum = 0;
  REPEAT(k, 0, n) sum += a[y * n + k] * vload4(0, b + k * n + x);
  vstore4(sum, 0, c + y * n + x);
#endif
}
#else
float dot_product(global const float *a, global const float *b, ID n) {
  float sum = 0;
  REPEAT(k, 0, n) sum += a[k] * b[k * n];
  return sum;
}

kernel void product(global const float *a, global const float *b, global float *c, int width) {
  ID n = WIDTH;
  WORK2(x, y, n, n) {
#if defined CALL
    c[y * n + x] = dot_product(a + y * n, b + x, n);
#elif defined MEMORY_SUM
    c[y * n + x] = 0;
    REPEAT(k, 0, n) c[y * n + x] += a[y * n + k] * b[k * n + x];
#else
    float sum = 0;
    REPEAT(k, 0, n) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
#endif
  }
}
#endif
#else
#ifdef LOCAL_TILE
kernel void transpose(global const float *in, global float *out, int width, int height) {
  local float tile[TILE][TILE + PAD];
  ID w = WIDTH, h = HEIGHT, lx = get_local_id(0), ly = get_local_id(1);
  ID x = get_group_id(0) * TILE + lx, y = get_group_id(1) * TILE + ly;
  tile[ly][lx] = in[y * w + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(get_group_id(0) * TILE + ly) * h + get_group_id(1) * TILE + lx] = tile[lx][ly];
}
#else
kernel void transpose(global const float *in, global float *out, int width, int height) {
  ID w = WIDTH, h = HEIGHT;
#ifdef FROM_OUTPUT
  WORK2(y, x, h, w) { out[x * h + y] = in[y * w + x]; }
#else
  WORK2(x, y, w, h) { out[x * h + y] = in[y * w + x]; }
#endif
}
#endif
#endif
