// RUN: ocl-opt %s -p simplify-loops | filecheck %s

// A loop to the next number, or to less, has one iteration at most, whatever wraps around.

// CHECK-LABEL: ocl.kernel @rows(
// CHECK:       %[[GO:.*]] = arith.cmpi slt, %y, %{{.*}} : index
// CHECK-NEXT:  scf.if %[[GO]] {
// CHECK-NEXT:    ocl.store %rows, %x[%y]
// CHECK-NEXT:  }
kernel void rows(global int *x, int rows) {
  int y0 = get_global_id(1) * 1;
  for (int y = y0, end = min(rows, y0 + 1); y < end; ++y) x[y] = rows;
}

// CHECK-LABEL: ocl.kernel @unsigned_rows(
// CHECK:       scf.if
// CHECK-NOT:   scf.for
kernel void unsigned_rows(global int *x, uint rows) {
  uint y0 = get_global_id(1);
  for (uint y = y0; y < min(1 + y0, rows); ++y) x[y] = 1;
}

// In steps of 4 to three numbers further.
// CHECK-LABEL: ocl.kernel @steps(
// CHECK:       scf.if
// CHECK-NOT:   scf.for
kernel void steps(global int *x) {
  int y0 = x[0];
  for (int y = y0; y < y0 + 3; y += 4) x[y] = 1;
}

// CHECK-LABEL: ocl.kernel @two_rows(
// CHECK:       scf.for
kernel void two_rows(global int *x, int rows) {
  int y0 = get_global_id(1) * 2;
  for (int y = y0, end = min(rows, y0 + 2); y < end; ++y) x[y] = rows;
}

// The larger one of both may be further.
// CHECK-LABEL: ocl.kernel @largest(
// CHECK:       scf.for
kernel void largest(global int *x, int rows) {
  int y0 = get_global_id(1);
  for (int y = y0, end = max(rows, y0 + 1); y < end; ++y) x[y] = rows;
}

// The number after -2 is 4294967295 here.
// CHECK-LABEL: ocl.kernel @mixed(
// CHECK:       scf.for
kernel void mixed(global int *x) {
  int y0 = x[0];
  for (long y = y0, end = (uint)(y0 + 1); y < end; ++y) x[y & 15] = 1;
}
// CHECK-LABEL: ocl.kernel @mixed_minimum(
// CHECK:       scf.for
kernel void mixed_minimum(global int *x, uint n) {
  int y0 = x[0];
  for (int y = y0, end = min((uint)(y0 + 1), n); y < end; ++y) x[y & 15] = 1;
}

// CHECK-LABEL: ocl.kernel @while_loop(
// CHECK-NOT:   scf.while
// CHECK:       scf.if
kernel void while_loop(global int *x, int rows) {
  int y0 = x[0], y = y0;
  while (y < min(rows, y0 + 1)) { int t = x[y & 15]; if (t > y) { x[0] = t; } y += 1; }
}
