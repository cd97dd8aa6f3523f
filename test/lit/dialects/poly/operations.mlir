// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

// x[i] = x[i] + x[max(i, 5)], for one group of L0 work-items: from the sixth work-item on both
// indices are consecutive. The subkernel says so with tiles of 8 work-items: the first tile is
// mixed, the others are an interior, and what is left of the last one is scalar.
// CHECK-LABEL: func.func @foo
func.func @foo(%L0: index, %n: index, %p: !ocl.ptr<f32, global>) {
  // CHECK: poly.kernel @foo(%L0, %n) params ["L0", "n"] work_items ["x"] context #poly.set<"[L0] -> { : L0 > 0 }"> {
  poly.kernel @foo(%L0, %n) params ["L0", "n"] work_items ["x"] context #poly.set<"[n, L0] -> { : 0 < L0 }"> {
  ^bb0(%x: index):
    // CHECK: poly.assume #poly.set<"[L0, n] -> { : n >= 2L0 }">
    poly.assume #poly.set<"[n, L0] -> { : n >= 2L0 }">
    // CHECK: poly.subkernel @foo_x along 0 width 8 score #poly.score<"4*[-5 + L0] + 2*[min(5, L0)]"> domain #poly.set<"[L0] -> { R[x] : 0 <= x < L0 }"> {
    poly.subkernel @foo_x along 0 width 8 score #poly.score<"2*[min(L0, 5)] + 4*[L0 - 5]"> domain #poly.set<"[L0] -> { R[x] : 0 <= x < L0 }"> {
      // CHECK: poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"[L0] -> { interior[t] : t > 0 and 8t <= -8 + L0 }"> {
      poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"[L0] -> { interior[t] : 8t + 7 < L0 and t >= 1 }"> {
      ^bb1(%first: index):
        // CHECK: ocl.load %p[%{{.*}}] {poly.access = #poly.access<read @p, #poly.index<"{ R[x] -> [(x)] }">, cons = #poly.set<"{ R[x] }">, exact>} : !ocl.ptr<f32, global>
        %v = ocl.load %p[%first] {poly.access = #poly.access<read @p, #poly.index<"{ R[x] -> [(x)] }">, cons = #poly.set<"{ R[x] }">, exact>} : !ocl.ptr<f32, global>
      }
      poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = div, ctl = uniform> domain #poly.set<"[L0] -> { memdiv[t] : t = 0 and L0 >= 8 }"> {
      ^bb1(%first: index):
      }
      poly.codelet lanes 1 along 0 class #poly.class<tile = partial, mem = div, ctl = mixed> domain #poly.set<"[L0] -> { partial[x] : 8*floor(L0/8) <= x < L0 }"> {
      ^bb1(%first: index):
      }
    }
    // CHECK: poly.subkernel @foo_scalar along 0 width 1 domain
    poly.subkernel @foo_scalar along 0 width 1 domain #poly.set<"[L0] -> { R[x] : 0 <= x < L0 }"> {
      poly.codelet lanes 1 along 0 class #poly.class<tile = partial, mem = div, ctl = mixed> domain #poly.set<"[L0] -> { R[x] : 0 <= x < L0 }"> {
      ^bb1(%first: index):
      }
    }
    // CHECK: poly.dispatch [@foo_x, @foo_scalar]
    poly.dispatch [@foo_x, @foo_scalar]
  }
  func.return
}

// -----

// After poly-materialize a codelet is inside loops, at the ids that they give it; guards,
// bounds and scores are computed from the parameters by name.
// CHECK-LABEL: func.func @loops
func.func @loops(%y: index, %x: index, %n: index) -> index {
  // CHECK: poly.codelet(%y, %x) lanes 4 along 1 class
  poly.codelet(%y, %x) lanes 4 along 1 class #poly.class<tile = full, mem = cons, ctl = mixed> domain #poly.set<"[n] -> { interior[t, x] : 0 <= 4t <= n and 0 <= x < n }"> {
  ^bb0(%i: index, %j: index):
    // CHECK: %b = poly.contains #poly.set<"[n] -> { R[y, x] : y <= x < n }">(%i, %j) [%n] params ["n"]
    %b = poly.contains #poly.set<"[n] -> { R[y, x] : y <= x and x < n }"> (%i, %j) [%n] params ["n"]
  }
  // CHECK: %v = poly.eval #poly.aff<"[n] -> { R[x] -> [(n)] : x <= n; R[x] -> [(x)] : x > n }">(%x) [%n] params ["n"]
  %v = poly.eval #poly.aff<"[n] -> { R[x] -> [(max(x, n))] }"> (%x) [%n] params ["n"]
  // CHECK: %s = poly.score #poly.score<"4*[n]">[%n] params ["n"]
  %s = poly.score #poly.score<"4*[n]"> [%n] params ["n"]
  func.return %v : index
}
