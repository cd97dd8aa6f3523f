// RUN: ocl-opt %s -p find-popcounts | filecheck %s
// RUN: ocl-opt %s -p find-popcounts --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// REMARK: find_popcounts.cl:[[# @LINE + 7]]:3: remark: counts bits: a population count [find-popcounts]
// REMARK-COUNT-3: remark: counts bits
// REMARK-NOT: remark

// The lowest bit that is 1 is cleared.
kernel void cleared(global uint *x, global int *y) {
  int n = 0; uint v = *x;
  while (v) { v &= v - 1; n++; }
  *y = n;
}
// CHECK-LABEL: ocl.kernel @cleared
// CHECK:         %[[BITS:.*]] = math.ctpop %v : i32
// CHECK-NEXT:    %n = arith.addi %{{.*}}, %[[BITS]] : i32

// Another type counts.
kernel void shifted(global ulong *x, global int *y) {
  int n = 0;
  for (ulong v = *x; v; v >>= 1) n += v & 1;
  *y = n;
}
// CHECK-LABEL: ocl.kernel @shifted
// CHECK:         %[[BITS:.*]] = math.ctpop %v : i64
// CHECK-NEXT:    arith.trunci %[[BITS]] : i64 to i32

kernel void first_bits(global uint *x, global int *y) {
  int n = 0; uint v = *x;
  for (int i = 0; i < 20; i++) n += (v >> i) & 1;
  *y = n;
}
// CHECK-LABEL: ocl.kernel @first_bits
// CHECK:         %[[MASK:.*]] = arith.constant 1048575 : i32
// CHECK:         %[[FIRST:.*]] = arith.andi %v, %[[MASK]] : i32
// CHECK-NEXT:    math.ctpop %[[FIRST]] : i32

kernel void tested(global int *x, global int *y) {
  int n = 0, v = *x;
  for (int i = 0; i < 32; i++) if (v & (1 << i)) n++;
  *y = n;
}
// CHECK-LABEL: ocl.kernel @tested
// CHECK:         math.ctpop %v : i32

// A sum of what the bits are worth is the number itself.
kernel void worth(global int *x, global int *y) {
  int n = 0, v = *x;
  for (int i = 0; i < 32; i++) n += v & (1 << i);
  *y = n;
}
// CHECK-LABEL: ocl.kernel @worth
// CHECK:         scf.for

// A negative number that is shifted with its sign is never 0.
kernel void negative(global int *x, global int *y) {
  int n = 0;
  for (int v = *x; v; v >>= 1) n += v & 1;
  *y = n;
}
// CHECK-LABEL: ocl.kernel @negative
// CHECK:         scf.while
