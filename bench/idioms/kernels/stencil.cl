#include "common.h"

#define A(x) in[x]
#define B(x, y) in[(y) * w + (x)]
#define C(x, y, z) in[((z) * h + (y)) * w + (x)]

#ifdef STENCIL1D
kernel void stencil1d(global const float *in, global float *out, int width) {
  ID w = WIDTH;
  WORK(x, w) {
    out[x] = A(x) * 0.5f + (A(LESS(x, 1, w)) + A(MORE(x, 1, w))) * 0.125f
             + (A(LESS(x, 2, w)) + A(MORE(x, 2, w))) * 0.25f;
  }
}
#endif

#ifdef STENCIL2D
kernel void stencil2d(global const float *in, global float *out, int width, int height) {
  ID w = WIDTH, h = HEIGHT;
  WORK2(x, y, w, h) {
#ifdef VARIABLES
    ID left = LESS(x, 1, w), right = MORE(x, 1, w), above = LESS(y, 1, h), below = MORE(y, 1, h);
    float sum = B(x, y) * 0.5f;
    sum += (B(left, y) + B(right, y)) * 0.125f;
    sum += (B(x, above) + B(x, below)) * 0.25f;
    out[y * w + x] = sum;
#else
    out[y * w + x] = B(x, y) * 0.5f + (B(LESS(x, 1, w), y) + B(MORE(x, 1, w), y)) * 0.125f
                     + (B(x, LESS(y, 1, h)) + B(x, MORE(y, 1, h))) * 0.25f;
#endif
  }
}
#endif

// Outside of the image are zeros.
#define zero_select(inside, value) ((inside) ? (value) : 0.0f)
#define zero_other(inside, value) (!(inside) ? 0.0f : (value))
#define zero_and(inside, value) ((inside) * (value))
#define TAP(inside, value) JOIN(zero_, STYLE)(inside, value)

#ifdef STENCIL2D_ZERO
kernel void stencil2d_zero(global const float *in, global float *out, int width, int height) {
  ID w = WIDTH, h = HEIGHT;
  WORK2(x, y, w, h) {
#ifdef STATEMENTS
    float sum = B(x, y) * 0.5f;
    if (x > 0) sum += B(x - 1, y) * 0.125f;
    if (x < w - 1) sum += B(x + 1, y) * 0.125f;
    if (y > 0) sum += B(x, y - 1) * 0.25f;
    if (y < h - 1) sum += B(x, y + 1) * 0.25f;
    out[y * w + x] = sum;
#else
    float left = TAP(x > 0, B(x - 1, y)), right = TAP(x + 1 < w, B(x + 1, y));
    float above = TAP(y > 0, B(x, y - 1)), below = TAP(y + 1 < h, B(x, y + 1));
    out[y * w + x] = B(x, y) * 0.5f + (left + right) * 0.125f + (above + below) * 0.25f;
#endif
  }
}
#endif

// The border is not written.
#define skip_select(x, y, w, h) if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
#define skip_other(x, y, w, h) if (!(x == 0 || y == 0 || x == w - 1 || y == h - 1))
#define skip_nested(x, y, w, h) if (x >= 1) if (x <= w - 2) if (y >= 1) if (y <= h - 2)
#define skip_early(x, y, w, h) if (x < 1 || y < 1 || x + 1 >= w || y + 1 >= h) return;
#define SKIP(x, y, w, h) JOIN(skip_, STYLE)(x, y, w, h)

#ifdef STENCIL2D_SKIP
kernel void stencil2d_skip(global const float *in, global float *out, int width, int height) {
  ID w = WIDTH, h = HEIGHT;
#ifdef OFFSET_IDS
  ID x = get_global_id(0) + 1, y = get_global_id(1) + 1;
  if (x < w - 1 && y < h - 1) {
#else
  WORK2(x, y, w, h) SKIP(x, y, w, h) {
#endif
    out[y * w + x] = B(x, y) * 0.5f + (B(x - 1, y) + B(x + 1, y)) * 0.125f
                     + (B(x, y - 1) + B(x, y + 1)) * 0.25f;
  }
}
#endif

#ifdef STENCIL3D
kernel void stencil3d(global const float *in, global float *out, int width, int height, int depth) {
  ID w = WIDTH, h = HEIGHT, d = depth;
  WORK3(x, y, z, w, h, d) {
    out[(z * h + y) * w + x] =
        C(x, y, z) * 0.5f + (C(LESS(x, 1, w), y, z) + C(MORE(x, 1, w), y, z)) * 0.125f
        + (C(x, LESS(y, 1, h), z) + C(x, MORE(y, 1, h), z)) * 0.25f
        + (C(x, y, LESS(z, 1, d)) + C(x, y, MORE(z, 1, d))) * 0.375f;
  }
}
#endif
