// RUN: ocl-opt %s -p "tta-pair-iterations{least=1},remove-dead-values" | filecheck %s
// RUN: ocl-opt %s -p "tta-pair-iterations{least=1}" --remarks 2>&1 | filecheck %s --check-prefix=REMARK

// A sum of the kernel's own memory is loaded and stored once for two iterations; the last of an odd
// number of iterations follows. Accesses of the second iteration are in a region of their own.

// REMARK-COUNT-3: remark: two iterations are executed in one
// REMARK-NOT: remark

// CHECK-LABEL: func.func @sum
// CHECK:         %[[even:.*]] = arith.andi %n, %{{.*}} : index
// CHECK:         %[[next:.*]] = scf.for %k = %c0 to %[[even]] step %{{.*}} iter_args(%p = %a)
// CHECK-COUNT-1:   ocl.load %sums[%c5] {wg.region = #builtin.int<3>
// CHECK:           ocl.load %{{.*}} {wg.region = #builtin.int<3>
// CHECK:           %[[one:.*]] = arith.addf
// CHECK:           ocl.load %{{.*}} {wg.region = #builtin.int<4>
// CHECK:           %[[two:.*]] = arith.addf %[[one]]
// CHECK-COUNT-1:   ocl.store %[[two]], %sums[%c5] {wg.region = #builtin.int<4>
// CHECK:           scf.yield
// CHECK:         scf.if
// CHECK:           ocl.load %[[next]] {wg.region = #builtin.int<5>
// CHECK:           ocl.store %{{.*}}, %sums[%c5] {wg.region = #builtin.int<5>
func.func @sum(%scratch: !ocl.ptr<i8, global>, %a: !ocl.ptr<f32, global>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c256 = arith.constant 256 : index
  %place = ocl.offset %scratch[%c256] : !ocl.ptr<i8, global>
  %any = ocl.cast %place : !ocl.ptr<i8, global> to !ocl.ptr<f32, generic>
  %sums = ocl.cast %any : !ocl.ptr<f32, generic> to !ocl.ptr<f32, private>
  %end = scf.for %k = %c0 to %n step %c1 iter_args(%p = %a) -> (!ocl.ptr<f32, global>) {
    %s = ocl.load %sums[%c5] {wg.region = #builtin.int<3>, wg.item = #builtin.int<0>} : !ocl.ptr<f32, private>
    %v = ocl.load %p {wg.region = #builtin.int<3>, wg.item = #builtin.int<0>} : !ocl.ptr<f32, global>
    %t = arith.addf %s, %v : f32
    ocl.store %t, %sums[%c5] {wg.region = #builtin.int<3>, wg.item = #builtin.int<0>} : !ocl.ptr<f32, private>
    %q = ocl.offset %p[%c1] : !ocl.ptr<f32, global>
    scf.yield %q : !ocl.ptr<f32, global>
  }
  func.return
}

// Five iterations are two pairs and one more, without a branch.
// CHECK-LABEL: func.func @five
// CHECK:         scf.for
// CHECK-COUNT-2:   arith.addf
// CHECK:         }
// CHECK-NOT:     scf.if
// CHECK:         arith.addf
// CHECK:         func.return
func.func @five(%scratch: !ocl.ptr<i8, global>, %a: !ocl.ptr<f32, global>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %place = ocl.offset %scratch[%c0] : !ocl.ptr<i8, global>
  %any = ocl.cast %place : !ocl.ptr<i8, global> to !ocl.ptr<f32, generic>
  %sums = ocl.cast %any : !ocl.ptr<f32, generic> to !ocl.ptr<f32, private>
  scf.for %k = %c0 to %c5 step %c1 {
    %s = ocl.load %sums[%c1] : !ocl.ptr<f32, private>
    %v = ocl.load %a[%k] : !ocl.ptr<f32, global>
    %t = arith.addf %s, %v : f32
    ocl.store %t, %sums[%c1] : !ocl.ptr<f32, private>
  }
  func.return
}

// One access of that memory may be anywhere: nothing is known of the sum after it.
// CHECK-LABEL: func.func @anywhere
// CHECK-COUNT-1: arith.addf
// CHECK-NOT:     arith.addf
// CHECK:         func.return
func.func @anywhere(%scratch: !ocl.ptr<i8, global>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %place = ocl.offset %scratch[%c0] : !ocl.ptr<i8, global>
  %any = ocl.cast %place : !ocl.ptr<i8, global> to !ocl.ptr<f32, generic>
  %sums = ocl.cast %any : !ocl.ptr<f32, generic> to !ocl.ptr<f32, private>
  scf.for %k = %c0 to %n step %c1 {
    %s = ocl.load %sums[%c1] : !ocl.ptr<f32, private>
    %v = ocl.load %sums[%k] : !ocl.ptr<f32, private>
    %t = arith.addf %s, %v : f32
    ocl.store %t, %sums[%c1] : !ocl.ptr<f32, private>
  }
  func.return
}

// Work-items of one region do not meet, those of two may: the second iteration has two regions of its
// own, and so has the last one of an odd number.
// CHECK-LABEL: func.func @regions
// CHECK:         scf.for
// CHECK:           ocl.load %sums[%c1] {wg.region = #builtin.int<1>
// CHECK:           ocl.load %a[%k] {wg.region = #builtin.int<2>
// CHECK:           ocl.load %a[%{{.*}}] {wg.region = #builtin.int<7>
// CHECK:         scf.if
// CHECK:           ocl.load %sums[%c1] {wg.region = #builtin.int<8>
// CHECK:           ocl.load %a[%{{.*}}] {wg.region = #builtin.int<9>
func.func @regions(%scratch: !ocl.ptr<i8, global>, %a: !ocl.ptr<f32, global>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %place = ocl.offset %scratch[%c0] : !ocl.ptr<i8, global>
  %any = ocl.cast %place : !ocl.ptr<i8, global> to !ocl.ptr<f32, generic>
  %sums = ocl.cast %any : !ocl.ptr<f32, generic> to !ocl.ptr<f32, private>
  scf.for %k = %c0 to %n step %c1 {
    %s = ocl.load %sums[%c1] {wg.region = #builtin.int<1>, wg.item = #builtin.int<0>} : !ocl.ptr<f32, private>
    %v = ocl.load %a[%k] {wg.region = #builtin.int<2>, wg.item = #builtin.int<0>} : !ocl.ptr<f32, global>
    %t = arith.addf %s, %v : f32
    ocl.store %t, %sums[%c1] {wg.region = #builtin.int<2>, wg.item = #builtin.int<0>} : !ocl.ptr<f32, private>
  }
  func.return
}
