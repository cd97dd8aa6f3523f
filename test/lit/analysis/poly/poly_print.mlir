// RUN: ocl-opt %s -p poly-print 2>&1 >/dev/null | filecheck %s

// What the user assumes, a score and a dispatch; a store that the analysis cannot place in a branch
// that it does not know is one that may happen.
// CHECK:      Kernel: @pick
// CHECK-NEXT: Context:
// CHECK-NEXT:     [L0] -> { : L0 > 0 }
// CHECK-NEXT: Assumed Context:
// CHECK-NEXT:     [L0, n] -> { : n >= 2L0 }
// CHECK-NEXT:     [L0] -> { : (L0) mod 8 = 0 }
// CHECK-NEXT: Statements {
// CHECK-NEXT:     Stmt_0 ({{.*}})
// CHECK-NEXT:         Domain :=
// CHECK-NEXT:             [L0] -> { R[x] : 0 <= x < L0 }
// CHECK-NEXT:         ReadAccess :=
// CHECK-NEXT:             { R[x] -> p[x] }
// CHECK-NEXT:     Stmt_1 ({{.*}})
// CHECK-NEXT:         Domain :=
// CHECK-NEXT:             [L0] -> { R[x] : 0 <= x < L0 }
// CHECK-NEXT:         MayWriteAccess :=
// CHECK-NEXT:             [n] -> { R[x] -> p[n + x] }
// CHECK-NEXT: }
// CHECK-NEXT: Subkernel: @pick_x, along 0, width 8
// CHECK-NEXT:     Domain :=
// CHECK-NEXT:         [L0] -> { R[x] : 0 <= x < L0 }
// CHECK-NEXT:     Score :=
// CHECK-NEXT:         8*[L0]
// CHECK-NEXT:     Codelets {
// CHECK-NEXT:         lanes 8, tile = full, mem = cons, ctl = mixed
// CHECK-NEXT:             Domain :=
// CHECK-NEXT:                 [L0] -> { mixed[t] : t >= 0 and 8t <= -8 + L0 }
// CHECK-NEXT:     }
// CHECK-NEXT: Dispatch: @pick_x
func.func @pick(%L0: index, %n: index, %p: !ocl.ptr<i32, global>) {
  poly.kernel @pick(%L0, %n) params ["L0", "n"] work_items ["x"] context #poly.set<"[L0] -> { : 0 < L0 }"> {
  ^bb0(%i: index):
    poly.assume #poly.set<"[n, L0] -> { : n >= 2L0 }">
    poly.assume #poly.set<"[L0] -> { : L0 mod 8 = 0 }">
    poly.subkernel @pick_x along 0 width 8 score #poly.score<"8*[L0]"> domain #poly.set<"[L0] -> { R[x] : 0 <= x < L0 }"> {
      poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = cons, ctl = mixed> domain #poly.set<"[L0] -> { mixed[t] : 0 <= t and 8t + 8 <= L0 }"> {
      ^bb1(%x: index):
        %v = ocl.load %p[%x] : !ocl.ptr<i32, global>
        %on = arith.trunci %v : i32 to i1
        scf.if %on {
          %at = arith.addi %x, %n : index
          ocl.store %v, %p[%at] : !ocl.ptr<i32, global>
        }
      }
    }
    poly.dispatch [@pick_x]
  }
  func.return
}
