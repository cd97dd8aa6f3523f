// RUN: ocl-opt %s -p "scf-to-cf{rotate=true}" | filecheck %s

// A counted loop tests once in front, and then at its end: a round has one branch, and a loop
// without rounds hands its initial values on.

// CHECK: func.func @sum
func.func @sum(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  // CHECK: %[[entered:.*]] = arith.cmpi slt, %c0, %n : index
  // CHECK-NEXT: cf.cond_br %[[entered]], ^[[body:.*]](%c0, %zero : index, f32), ^[[end:.*]](%zero : f32)
  // CHECK-NEXT: ^[[body]](%i: index, %sum: f32):
  // CHECK-NEXT: %[[more:.*]] = arith.addf %sum, %x : f32
  // CHECK-NEXT: %[[next:.*]] = arith.addi %i, %c2 : index
  // CHECK-NEXT: %[[again:.*]] = arith.cmpi slt, %[[next]], %n : index
  // CHECK-NEXT: cf.cond_br %[[again]], ^[[body]](%[[next]], %[[more]] : index, f32), ^[[end]](%[[more]] : f32)
  // CHECK-NEXT: ^[[end]](%r: f32):
  %r = scf.for %i = %c0 to %n step %c2 iter_args(%sum = %zero) -> (f32) {
    %more = arith.addf %sum, %x : f32
    scf.yield %more : f32
  }
  func.return %r : f32
}
