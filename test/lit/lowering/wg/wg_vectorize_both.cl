// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,index-arithmetic,widen-indices,wg-vectorize{both=true}" | filecheck %s
// RUN: ocl-opt %s -p "ocl-set-local-size{size=64,1,1},ocl-to-wg,index-arithmetic,widen-indices,wg-vectorize{both=true}" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix WHY
// RUN: ocl-opt %s -p "cpu" -t llvm-ir | filecheck %s --check-prefix LLVM

// Each work-item leaves the loop when it has found a divisor: a vector waits for its slowest lane. Both
// forms are there, and the program measures them (backends/cpu/choose.ll).
// WHY: wg_vectorize_both.cl:[[# @LINE + 9]]:{{.*}} vectors and one by one, measured while it runs: the iterations of a loop differ by work-item
// CHECK-LABEL: wg.func @prime(
// CHECK:       %[[FIRST:.*]] = wg.choose 0
// CHECK-NEXT:  scf.if %[[FIRST]] {
// CHECK:         wg.parallel {{.*}} step (16, 1, 1) {
// CHECK:       } else {
// CHECK-NEXT:    wg.parallel {{[^s]*}} {
// CHECK:       wg.chosen %[[FIRST]]
kernel void prime(global uint *out) {
  uint n = get_global_id(0) + 2, p = 1;
  for (uint d = 2; d * d <= n; d++)
    if (n % d == 0) { p = 0; break; }
  out[get_global_id(0)] = p;
}

// The rows of a sparse matrix, one below the other in each column, and a gather. 
// WHY: wg_vectorize_both.cl:[[# @LINE + 8]]:{{.*}} vectors and one by one, measured while it runs: the iterations of a loop differ by work-item
// CHECK-LABEL: wg.func @row(
// CHECK:       wg.choose 0
// CHECK:       arith.addf %{{.*}} : vector<16xf32>
// CHECK:       } else {
// CHECK:       arith.addf %{{.*}} : f32
kernel void row(global const int *counts, global const int *columns, global const float *values,
                global const float *x, global float *y) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < counts[i]; k++) sum += values[k * 4096 + i] * x[columns[k * 4096 + i]];
  y[i] = sum;
}

// Numbers of some bits each, read word by word through a pointer that goes on where data say.
// WHY: wg_vectorize_both.cl:[[# @LINE + 5]]:{{.*}} vectors and one by one, measured while it runs: a loop reads where data say
// CHECK-LABEL: wg.func @unpack(
// CHECK:       wg.choose 0
// CHECK:       wg.chosen
kernel void unpack(global const uint *packed, global const uint *starts, global const uint *widths, global uint *out) {
  uint i = get_global_id(0), bits = widths[i], have = 0;
  global const uint *p = packed + starts[i];
  ulong read = 0;
  for (uint k = 0; k < 128; k++) {
    if (have < bits) {
      read |= (ulong)(*p++) << have;
      have += 32;
    }
    out[i * 128 + k] = (uint)(read & ((1ul << bits) - 1));
    read >>= bits;
    have -= bits;
  }
}

// LLVM makes vectors of each row, if it has some elements: nobody knows.
// WHY: wg_vectorize_both.cl:[[# @LINE + 5]]:{{.*}} vectors and one by one, measured while it runs: a loop is vectors of its own if it is long
// CHECK-LABEL: wg.func @scale(
// CHECK:       wg.choose 0
// CHECK:       wg.chosen
kernel void scale(global float *z, global const float *sums, int columns) {
  for (int c = 0, i = get_global_id(0); c < columns; c++) {
    float v = z[i * columns + c] / sums[i];
    float w = (v * v + 1) / (v * v + 2) - (v + 3) / (v * v * v + 4);
    z[i * columns + c] = w * w - v / (w - 7);
  }
}

// A level of a search through a graph: all vectors are slow that some lanes take part in, and fast
// where none does. Data say how many.
// WHY: wg_vectorize_both.cl:[[# @LINE + 6]]:{{.*}} vectors and one by one, measured while it runs: the iterations of a loop differ by work-item
// CHECK-LABEL: wg.func @level(
// CHECK:       wg.choose 0
// CHECK:       wg.chosen
kernel void level(global const int *ends, global const int *edges, global const char *active,
                  global int *cost) {
  int v = get_global_id(0);
  if (active[v])
    for (int e = ends[v]; e < ends[v + 1]; e++) cost[edges[e]] = cost[v] + 1;
}

// The same for all vertices: no vectors pay.
// CHECK-LABEL: wg.func @all_of_them(
// CHECK-NOT:   wg.choose
// CHECK:       wg.return
kernel void all_of_them(global const int *ends, global const int *edges, global int *cost) {
  int v = get_global_id(0);
  for (int e = ends[v]; e < ends[v + 1]; e++) cost[edges[e]] = cost[v] + 1;
}

// Edges of a graph: vectors are slow where most lanes lower a distance, one after the other.
// WHY: wg_vectorize_both.cl:[[# @LINE + 8]]:{{.*}} vectors and one by one, measured while it runs: data say how many work-items change memory atomically
// CHECK-LABEL: wg.func @relax(
// CHECK:       wg.choose 0
// CHECK:       ocl.atomic_rmw umin
// CHECK:       wg.chosen
kernel void relax(global const int *from, global const int *to, global const uint *length,
                  global uint *dist) {
  int e = get_global_id(0);
  uint d = dist[from[e]];
  if (d == UINT_MAX) return;
  d += length[e];
  if (d < dist[to[e]]) atomic_min(&dist[to[e]], d);
}

// A bit for each of eight bytes: estimates are near each other, and LLVM makes vectors of the eight
// comparisons of a work-item, which no estimate knows.
// WHY: wg_vectorize_both.cl:[[# @LINE + 5]]:{{.*}} vectors and one by one, measured while it runs: the estimates are near each other
// CHECK-LABEL: wg.func @bits(
// CHECK:       wg.choose 0
// CHECK:       wg.chosen
kernel void bits(global const uchar *in, global uchar *out) {
  int x = get_global_id(0), bits = 0;
  bits |= in[8 * x + 0] > 3 ? 1 : 0;
  bits |= in[8 * x + 1] > 131 ? 2 : 0;
  bits |= in[8 * x + 2] > 35 ? 4 : 0;
  bits |= in[8 * x + 3] > 163 ? 8 : 0;
  bits |= in[8 * x + 4] > 11 ? 16 : 0;
  bits |= in[8 * x + 5] > 139 ? 32 : 0;
  bits |= in[8 * x + 6] > 43 ? 64 : 0;
  bits |= in[8 * x + 7] > 171 ? 128 : 0;
  out[x] = bits;
}

// More than 400 operations are there twice only if the estimates are very near each other.
#define EIGHT(f, k) f(k) f(k + 1) f(k + 2) f(k + 3) f(k + 4) f(k + 5) f(k + 6) f(k + 7)
#define FORTY(f) EIGHT(f, 0) EIGHT(f, 8) EIGHT(f, 16) EIGHT(f, 24) EIGHT(f, 32)
#define MIX(k) sum += at[k] * (k + 3) ^ sum >> 2;
#define SUM(k) sum += k * sum ^ sum >> 2;
// WHY: wg_vectorize_both.cl:[[# @LINE + 6]]:{{.*}} vectors and one by one, measured while it runs: the iterations of a loop differ by work-item
// CHECK-LABEL: wg.func @eighty(
// CHECK:       wg.choose 0
// CHECK:       wg.chosen
kernel void eighty(global const uchar *p, global const int *start, global int *out) {
  int i = get_global_id(0), sum;
  global const uchar *at = p + start[i];
  do {
    sum = 0;
    FORTY(MIX) FORTY(MIX)
    at += sum & 7;
  } while (sum & 8);
  out[i] = sum;
}

// CHECK-LABEL: wg.func @surely(
// CHECK-NOT:   wg.choose
// CHECK:       wg.return
kernel void surely(global const uchar *p, global const int *start, global int *out) {
  int i = get_global_id(0), sum;
  global const uchar *at = p + start[i];
  do {
    sum = *at++;
    FORTY(SUM) FORTY(SUM) FORTY(SUM) FORTY(SUM)
  } while (sum & 8);
  out[i] = sum;
}

// Rows are vectors.
// CHECK-LABEL: wg.func @rows(
// CHECK-NOT:   wg.choose
// CHECK:       wg.return
kernel void rows(global const uchar *in, global uchar *out) {
  int x = get_global_id(0);
  out[x] = in[x] > 3 ? 1 : 0;
}

// What depends on the order of work-items exists once: results of atomics, and two kinds of them.
// So do counters in global memory, which may be those of each thread.
// CHECK-LABEL: wg.func @list(
// CHECK-NOT:   wg.choose
// CHECK:       wg.return
kernel void list(global const int *ends, global int *count, global int *out) {
  int n = 0;
  for (int k = 0; k < ends[get_global_id(0)]; k++) n = n * 3 + k;
  out[atomic_inc(count)] = n;
}

// CHECK-LABEL: wg.func @counted(
// CHECK-NOT:   wg.choose
// CHECK:       wg.return
kernel void counted(global const int *ends, global int *out) {
  int n = 0;
  for (int k = 0; k < ends[get_global_id(0)]; k++) n = n * 3 + k;
  atomic_add(&out[n & 7], n);
}

// CHECK-LABEL: wg.func @two_kinds(
// CHECK-NOT:   wg.choose
// CHECK:       wg.return
kernel void two_kinds(global const int *ends, global int *out) {
  int n = 0;
  for (int k = 0; k < ends[get_global_id(0)]; k++) n = n * 3 + k;
  atomic_max(&out[n & 7], n);
  atomic_min(&out[n & 7], 5);
}

// LLVM:     call {{.*}}i1 @"polycl_choose"({{.*}}@"polycl.choice.0"
// LLVM:     call {{.*}}void @"polycl_chosen"({{.*}}@"polycl.choice.0"
// LLVM:     @"polycl.choice.0" = internal global [80 x i8]
// LLVM-NOT: declare {{.*}}polycl_choose
// LLVM:     define internal i1 @polycl_choose(

// Each second element, but none beyond the border: one work-item's branches are foreseen, vectors have masks.
// WHY: wg_vectorize_both.cl:[[# @LINE + 4]]:{{.*}} vectors and one by one, measured while it runs: a loop reads at a stride under a mask
// CHECK-LABEL: wg.func @half_row(
// CHECK:       wg.choose 0
kernel void half_row(global const float *in, global const float *w, global float *out, int n) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < 5; k++) {
    int x = 2 * i + k - 2;
    if (x >= 0 && x < n) s += w[k] * in[x];
  }
  out[i] = s;
}

// Without a border, a loop reads whole rows.
// CHECK-LABEL: wg.func @inside(
// CHECK-NOT:   wg.choose
kernel void inside(global const float *in, global const float *w, global float *out) {
  int i = get_global_id(0);
  float s = 0;
  for (int k = 0; k < 5; k++) s += w[k] * in[2 * i + k];
  out[i] = s;
}

// Rows of each work-item's own: lanes come back to the lines of the iteration before, and one work-item waits for the
// division of each iteration.
// WHY: wg_vectorize_both.cl:[[# @LINE + 4]]:{{.*}} vectors and one by one, measured while it runs: the estimates are near each other
// CHECK-LABEL: wg.func @fraction(
// CHECK:       wg.choose 0
kernel void fraction(global const double *a, global const double *b, global double *c, int n) {
  int row = get_global_id(0) * n;
  double last = 0;
  for (int k = 0; k < n; k++) {
    last = c[row + k] / (b[row + k] - a[row + k] * last);
    c[row + k] = last;
  }
}

// A generator of random numbers refills its state, a row of each work-item's own, once in 64 iterations: what
// lanes lose there, they gain in all others. How often it happens nobody knows.
// WHY: wg_vectorize_both.cl:[[# @LINE + 4]]:{{.*}} vectors and one by one, measured while it runs: data say how often branches run that cost most
// CHECK-LABEL: wg.func @paths(
// CHECK:       wg.choose 0
kernel void paths(global uint *state, global int *used, global float *out) {
  int i = get_global_id(0), n = used[i];
  global uint *row = state + i * 1000;
  float x = 1;
  for (int k = 0; k < 250; k++) {
    if (n >= 64) {
      for (int j = 0; j < 64; j++) row[j] = row[j + 1] ^ row[j + 3] >> 1 ^ row[j + 7];
      n = 0;
    }
    float v = convert_float(row[n++]) * 0x1p-32f;
    x *= 1 + ((((v + 2) * v + 3) * v + 4) * v + 5) / ((((v + 6) * v + 7) * v + 8) * v + 9) / sqrt(v + 1);
  }
  out[i] = x;
}
