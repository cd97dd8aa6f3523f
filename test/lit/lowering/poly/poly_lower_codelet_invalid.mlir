// RUN: ocl-opt %s -p poly-lower-codelet --split-input-file --verify-diagnostics | filecheck %s

// CHECK: error: a poly.kernel is left: run poly-materialize before
wg.func @kernel() {
  %L0 = ocl.local_size 0 : index
  poly.kernel @k(%L0) params ["L0"] work_items ["x"] context #poly.set<"{ : }"> {
  ^bb0(%x: index):
  }
  wg.return
}

// -----

// CHECK: error: expected a codelet inside of a wg.func
func.func @outside(%x: index) {
  poly.codelet(%x) lanes 8 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"{ interior[t] }"> {
  ^bb0(%x0: index):
  }
  func.return
}

// -----

// CHECK: error: a codelet cannot stand inside of wg.parallel
wg.func @inside() {
  %c8 = arith.constant 8 : index
  wg.parallel (%x, %y, %z) in (%c8, %c8, %c8) {
    poly.codelet(%x) lanes 8 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"{ interior[t] }"> {
    ^bb0(%x0: index):
    }
  }
  wg.return
}
