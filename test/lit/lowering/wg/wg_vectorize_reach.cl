// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-vectorize{always=true small_buffers=true}" | filecheck %s
// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,widen-indices,wg-vectorize{always=true}" | filecheck %s --check-prefix LARGE

// What is gathered is less than 2^32 bytes from the pointer if that is the start of a small buffer
// or of an array in local memory, or if the numbers are small, as those of bytes.
kernel void reach(global const float *p, global const int *at, global const uchar *b, global float *out) {
  local float t[256];
  size_t l = get_local_id(0), i = get_global_id(0);
  t[l] = p[at[l]];
  barrier(CLK_LOCAL_MEM_FENCE);
  global const float *q = p + at[0];
  out[i] = t[at[i]] + q[at[i]] + q[b[i]];
}
// CHECK-LABEL: wg.func @reach
// CHECK: wg.gather %p[{{.*}}] stride 4 : i64 {wg.in_reach}
// CHECK: wg.gather %{{.*}}[{{.*}}] stride 4 : i64 {wg.in_reach}
// CHECK: wg.gather %q[{{.*}}] stride 4 : i64 : vector
// CHECK: wg.gather %q{{.*}}[{{.*}}] stride 4 : i64 {wg.in_reach}
// LARGE-LABEL: wg.func @reach
// LARGE: wg.gather %p[{{.*}}] stride 4 : i64 : vector
// LARGE: wg.gather %{{.*}}[{{.*}}] stride 4 : i64 {wg.in_reach}

// What is before a field may be read through it, which numbers of bytes cannot tell; a number of
// records is never negative.
typedef struct { int head[4]; uchar bytes[16]; uchar last; } Record;
kernel void before(global const Record *p, global const int *at, global int *out) {
  size_t i = get_global_id(0);
  out[i] = p->bytes[at[i]] + p[at[i]].last;
}
// CHECK-LABEL: wg.func @before
// CHECK: wg.gather %{{.*}}[{{.*}}] stride 1 : i64 : vector
// CHECK: wg.gather %{{.*}}[{{.*}}] stride 36 : i64 {wg.in_reach}
