// RUN: ocl-opt %s -p poly-to-affine --split-input-file --verify-diagnostics | filecheck %s

// A score is a product of parameters.
// CHECK: poly_to_affine_invalid.mlir:[[# @LINE + 2]]:3: error: 'poly.score' has no form in the affine dialect; poly-to-affine runs before poly-materialize and takes sets, expressions and kernels
func.func @score(%n: index, %m: index) -> i64 {
  %s = poly.score #poly.score<"4*[n]*[m]"> [%n, %m] params ["n", "m"]
  func.return %s : i64
}

// -----

// A codelet in loops has no domain to make loops of: poly-materialize has made them.
// CHECK: 'poly.codelet' has no form in the affine dialect; poly-to-affine runs before poly-materialize
func.func @materialized(%x: index) {
  poly.codelet(%x) lanes 4 along 0 class #poly.class<tile = full, mem = cons, ctl = mixed> domain #poly.set<"{ interior[t] : 0 <= t < 2 }"> {
  ^bb0(%i: index):
  }
  func.return
}

// -----

// The size of the group is what the loops end at.
// CHECK: expected the size of the group as an operand named 'L0'
func.func @sizeless(%n: index) {
  poly.kernel @sizeless(%n) params ["n"] work_items ["x"] context #poly.set<"[n] -> { : n > 0 }"> {
  ^bb0(%x: index):
  }
  func.return
}
