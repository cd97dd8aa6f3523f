// RUN: ocl-opt %s -p poly-materialize --split-input-file --verify-diagnostics | filecheck %s

// CHECK: error: the dispatch names 'k_x', which has no score; run poly-score
func.func @score(%L0: index) {
  poly.kernel @k(%L0) params ["L0"] work_items ["x"] context #poly.set<"[L0] -> { : L0 > 0 }"> {
  ^bb0(%x: index):
    poly.subkernel @k_x along 0 width 4 domain #poly.set<"[L0] -> { R[x] : 0 <= x < 4 <= L0 }"> {
      poly.codelet lanes 4 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"[L0] -> { interior[t] : t = 0 and L0 >= 4 }"> {
      ^bb1(%x1: index):
      }
    }
    poly.dispatch [@k_x]
  }
  func.return
}

// -----

// CHECK: error: expected the size of the group as an operand named 'L0'
func.func @size(%n: index) {
  poly.kernel @k(%n) params ["n"] work_items ["x"] context #poly.set<"{ : }"> {
  ^bb0(%x: index):
  }
  func.return
}
