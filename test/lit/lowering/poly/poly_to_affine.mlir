// RUN: ocl-opt %s -p poly-to-affine | filecheck %s

// A convex set is an affine set, one of two parts two of them; a quotient is `floordiv`.
// CHECK-LABEL: func.func @sets
// CHECK-NEXT:  %inside = "affine.if"(%y, %x, %n) <{condition = affine_set<(d0, d1)[s0] : (((d0 * -1) + d1) >= 0, (((d1 * -1) + s0) + -1) >= 0)>}> ({
// CHECK-NEXT:    %{{.*}} = arith.constant true
// CHECK-NEXT:    affine.yield %{{.*}} : i1
// CHECK-NEXT:  }, {
// CHECK-NEXT:    %{{.*}} = arith.constant false
// CHECK-NEXT:    affine.yield %{{.*}} : i1
// CHECK-NEXT:  }) : (index, index, index) -> i1
// CHECK:       %[[A:.*]] = "affine.if"(%x, %n) <{condition = affine_set<(d0)[s0] : ((((d0 * -1) + s0) + -1) >= 0)>}>
// CHECK:       %[[B:.*]] = "affine.if"(%x, %n) <{condition = affine_set<(d0)[s0] : (((d0 * -1) + ((d0 floordiv 4) * 4)) == 0, ((d0 + (s0 * -2)) + -2) >= 0)>}>
// CHECK:       %either = arith.ori %[[A]], %[[B]] : i1
// CHECK-NEXT:  %none = arith.constant false
// CHECK-NEXT:  %all = arith.constant true
func.func @sets(%y: index, %x: index, %n: index) -> (i1, i1, i1, i1) {
  %inside = poly.contains #poly.set<"[n] -> { R[y, x] : y <= x < n }"> (%y, %x) [%n] params ["n"]
  %either = poly.contains #poly.set<"[n] -> { R[x] : x < n or (x > 2n and x mod 4 = 0) }"> (%x) [%n] params ["n"]
  %none = poly.contains #poly.set<"{ R[x] : false }"> (%x) [] params []
  %all = poly.contains #poly.set<"{ R[x] }"> (%x) [] params []
  func.return %inside, %either, %none, %all : i1, i1, i1, i1
}

// An expression is applied; the least of some is affine.min, and the largest one is minus the least
// of what is negated. What is neither is chosen by case.
// CHECK-LABEL: func.func @expressions
// CHECK-NEXT:  %sum = affine.apply affine_map<(d0)[s0] -> ((d0 + (s0 * 2)))> (%x)[%n]
// CHECK-NEXT:  %part = affine.apply affine_map<(d0)[s0] -> (((d0 + s0) floordiv 8))> (%x)[%n]
// CHECK-NEXT:  %least = affine.min affine_map<(d0)[s0] -> (7, s0, d0)> (%x)[%n]
// CHECK-NEXT:  %[[MINUS:.*]] = affine.min affine_map<(d0)[s0] -> ((s0 * -1), (d0 * -1))> (%x)[%n]
// CHECK-NEXT:  %most = affine.apply affine_map<(d0) -> ((d0 * -1))> (%[[MINUS]])
// CHECK-NEXT:  %case = "affine.if"(%x) <{condition = affine_set<(d0) : (((d0 * -1) + 4) >= 0)>}> ({
// CHECK-NEXT:    %{{.*}} = affine.apply affine_map<() -> (0)> ()
// CHECK-NEXT:    affine.yield %{{.*}} : index
// CHECK-NEXT:  }, {
// CHECK-NEXT:    %{{.*}} = affine.apply affine_map<(d0) -> (d0)> (%x)
// CHECK-NEXT:    affine.yield %{{.*}} : index
// CHECK-NEXT:  }) : (index) -> index
func.func @expressions(%x: index, %n: index) -> (index, index, index, index, index) {
  %sum = poly.eval #poly.aff<"[n] -> { R[x] -> [(x + 2n)] }"> (%x) [%n] params ["n"]
  %part = poly.eval #poly.aff<"[n] -> { R[x] -> [(floor((x + n)/8))] }"> (%x) [%n] params ["n"]
  %least = poly.eval #poly.aff<"[n] -> { R[x] -> [(min(x, n, 7))] }"> (%x) [%n] params ["n"]
  %most = poly.eval #poly.aff<"[n] -> { R[x] -> [(max(x, n))] }"> (%x) [%n] params ["n"]
  %case = poly.eval #poly.aff<"{ R[x] -> [(x)] : x >= 5; R[x] -> [(0)] : x < 5 }"> (%x) [] params []
  func.return %sum, %part, %least, %most, %case : index, index, index, index, index
}

// A codelet is loops over its tiles, and one over the lanes, which says what is known of the tile.
// The rest is two convex sets: loops for each, which share no work-item. Only the first subkernel is
// written: the other one does the same work.
// CHECK-LABEL: func.func @copy
// CHECK-NEXT:  affine.for %y = 0 to %L1 {
// CHECK-NEXT:    affine.for %t = 0 to min affine_map<()[s0, s1] -> ((s0 floordiv 4), (s1 floordiv 4))>()[%n, %L0] {
// CHECK-NEXT:      affine.for %x = affine_map<(d0) -> ((d0 * 4))>(%t) to affine_map<(d0) -> (((d0 * 4) + 4))>(%t) {
// CHECK-NEXT:        %v = ocl.load %p[%x] : !ocl.ptr<f32, global>
// CHECK-NEXT:      } {codelet = "interior", tile = "full", mem = "cons", ctl = "uniform"}
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:  affine.for %y_1 = 0 to %L1 {
// CHECK-NEXT:    affine.for %x_1 = affine_map<()[s0] -> ((((s0 mod 4) * -1) + s0))>()[%L0] to %L0 {
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:  affine.for %y_2 = 0 to %L1 {
// CHECK-NEXT:    affine.for %x_2 = affine_map<()[s0] -> ((((s0 mod 4) * -1) + s0))>()[%n] to affine_map<()[s0] -> ((((s0 mod 4) * -1) + s0))>()[%L0] {
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:  func.return
func.func @copy(%L0: index, %L1: index, %n: index, %p: !ocl.ptr<f32, global>) {
  poly.kernel @copy(%L0, %L1, %n) params ["L0", "L1", "n"] work_items ["y", "x"] context #poly.set<"[L0, L1] -> { : L0 > 0 and L1 > 0 }"> {
  ^bb0(%i: index, %j: index):
    poly.assume #poly.set<"[n] -> { : n >= 0 }">
    poly.subkernel @copy_x along 0 width 4 domain #poly.set<"[L0, L1] -> { R[y, x] : 0 <= y < L1 and 0 <= x < L0 }"> {
      poly.codelet lanes 4 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"[L0, L1, n] -> { interior[y, t] : 0 <= y < L1 and 0 <= t and 4t + 4 <= L0 and 4t + 4 <= n }"> {
      ^bb1(%y: index, %x: index):
        %v = ocl.load %p[%x] {poly.access = #poly.access<read @p, #poly.index<"{ R[y, x] -> [(x)] }">>} : !ocl.ptr<f32, global>
      }
      poly.codelet lanes 1 along 0 class #poly.class<tile = partial, mem = div, ctl = mixed> domain #poly.set<"[L0, L1, n] -> { rest[y, x] : 0 <= y < L1 and 0 <= x < L0 and (x >= 4*floor(L0/4) or x >= 4*floor(n/4)) }"> {
      ^bb1(%y: index, %x: index):
      }
    }
    poly.subkernel @copy_scalar along 0 width 1 domain #poly.set<"[L0, L1] -> { R[y, x] : 0 <= y < L1 and 0 <= x < L0 }"> {
      poly.codelet lanes 1 along 0 class #poly.class<tile = partial, mem = div, ctl = mixed> domain #poly.set<"[L0, L1] -> { scalar[y, x] : 0 <= y < L1 and 0 <= x < L0 }"> {
      ^bb1(%y: index, %x: index):
      }
    }
  }
  func.return
}

// A kernel that is not split is loops over all work-items of the group.
// CHECK-LABEL: func.func @whole
// CHECK-NEXT:  affine.for %x = 0 to %L0 {
// CHECK-NEXT:    %v = ocl.load %p[%x] : !ocl.ptr<f32, global>
// CHECK-NEXT:  }
func.func @whole(%L0: index, %p: !ocl.ptr<f32, global>) {
  poly.kernel @whole(%L0) params ["L0"] work_items ["x"] context #poly.set<"[L0] -> { : L0 > 0 }"> {
  ^bb0(%x: index):
    %v = ocl.load %p[%x] : !ocl.ptr<f32, global>
  }
  func.return
}
