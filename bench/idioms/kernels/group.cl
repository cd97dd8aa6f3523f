#include "common.h"

#define G 256

// The sum of each group's elements.
#ifdef REDUCE
kernel void reduce(global const float *in, global float *out, int width) {
  local float sums[G];
  ID l = get_local_id(0), size = get_local_size(0);
#if defined FIRST_OF_TWO
  ID g = get_group_id(0) * 512 + l;
  sums[l] = in[g] + in[g + 256];
#elif defined CHUNK
  ID first = get_group_id(0) * 512 + 2 * l;
  float own = 0;
  REPEAT(i, first, first + 2) own += in[i];
  sums[l] = own;
#else
  float own = 0;
  for (ID i = get_group_id(0) * 512 + l; i < (ID)(get_group_id(0) * 512 + 512); i += size) own += in[i];
  sums[l] = own;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
#if defined ONE_SUMS
  if (l == 0) {
    float sum = 0;
    REPEAT(i, 0, size) sum += sums[i];
    out[get_group_id(0)] = sum;
  }
  return;
#elif defined INTERLEAVED
  for (ID step = 1; step < size; step *= 2) {
    if (l % (2 * step) == 0) sums[l] += sums[l + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#elif defined DO
  ID step = size / 2;
  do {
    if (l < step) sums[l] += sums[l + step];
    barrier(CLK_LOCAL_MEM_FENCE);
    step /= 2;
  } while (step);
#elif defined BITS
  for (int k = 7; k >= 0; k--) {
    ID step = (ID)1 << k;
    if (l < step) sums[l] += sums[l | step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#elif defined DENSE
  for (ID step = 1; step < size; step *= 2) {
    ID at = 2 * step * l;
    if (at < size) sums[at] += sums[at + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#elif defined UNROLLED
  if (l < 128) sums[l] += sums[l + 128];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 64) sums[l] += sums[l + 64];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 32) sums[l] += sums[l + 32];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) sums[l] += sums[l + 16];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 8) { sums[l] += sums[l + 8]; }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    sums[0] += sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7];
#else
  for (ID step = size / 2; step > 0; step >>= 1) {
    if (l < step) sums[l] += sums[l + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#endif
  if (l == 0) out[get_group_id(0)] = sums[0];
}
#endif

// The inclusive sums of each 256 elements.
#ifdef SCAN
kernel void scan(global const float *in, global float *out, int width) {
  ID l = get_local_id(0), g = get_global_id(0);
#if defined TWO_BUFFERS
  local float a[G], b[G];
  local float *from = a, *to = b;
  from[l] = in[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (ID step = 1; step < G; step *= 2) {
    to[l] = l >= step ? from[l] + from[l - step] : from[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    local float *other = from; from = to; to = other;
  }
  out[g] = from[l];
#elif defined BLELLOCH
  local float a[G];
  a[l] = in[g];
  for (ID step = 1; step < G; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    ID at = (l + 1) * 2 * step - 1;
    if (at < G) a[at] += a[at - step];
  }
  for (ID step = G / 4; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    ID at = (l + 1) * 2 * step - 1;
    if (at + step < G) a[at + step] += a[at];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = a[l];
#elif defined ONE_SUMS
  local float a[G];
  a[l] = in[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) REPEAT(i, 1, G) a[i] += a[i - 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = a[l];
#elif defined RESULT
  local float a[G];
  float sum = in[g];
  a[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (ID step = 1; step < G; step <<= 1) {
    if (l >= step) sum += a[l - step];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[g] = sum;
#else
  local float a[G];
  a[l] = in[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (ID step = 1; step < G; step *= 2) {
    float add = 0;
    if (l >= step) add = a[l - step];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] += add;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[g] = a[l];
#endif
}
#endif

// How often each byte occurs.
#ifndef ADD
#define ADD increment
#endif
#define add_increment(p) atomic_inc(p)
#define add_add(p) atomic_add(p, 1u)
#define add_old(p) atom_add(p, 1u)
#define add_c11(p) atomic_fetch_add_explicit((volatile local atomic_uint *)p, 1u, memory_order_relaxed, memory_scope_work_group)
#define COUNT(p) JOIN(add_, ADD)(p)

#ifdef HISTOGRAM
kernel void histogram(global const uchar *in, global uint *out, int width) {
#if defined DIRECT
  for (ID i = get_global_id(0); i < (ID)width; i += get_global_size(0)) atomic_inc(&out[in[i]]);
#else
  local uint bins[256];
  ID l = get_local_id(0), size = get_local_size(0);
  for (ID i = l; i < 256; i += size) bins[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#if defined BYTES4
  global const uchar4 *in4 = (global const uchar4 *)in;
  for (ID i = get_global_id(0); i < (ID)width / 4; i += get_global_size(0)) {
    uchar4 v = in4[i];
    COUNT(&bins[v.x]); COUNT(&bins[v.y]); COUNT(&bins[v.z]); COUNT(&bins[v.w]);
  }
#elif defined CHUNK
  ID each = width / get_global_size(0), first = get_global_id(0) * each;
  REPEAT(i, first, first + each) COUNT(&bins[in[i]]);
#elif defined ONE_COUNTS
  if (l == 0) {
    ID each = width / get_num_groups(0), first = get_group_id(0) * each;
    REPEAT(i, first, first + each) bins[in[i]]++;
  }
#else
  for (ID i = get_global_id(0); i < (ID)width; i += get_global_size(0)) COUNT(&bins[in[i]]);
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  for (ID i = l; i < 256; i += size) atomic_add(&out[i], bins[i]);
#endif
}
#endif
