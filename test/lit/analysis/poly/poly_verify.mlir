// RUN: ocl-opt %s -p poly-verify --remarks 2>&1 >/dev/null | filecheck %s
// RUN: ocl-opt %s -p 'poly-verify{samples=10 seed=3}' --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=FEW
// RUN: ocl-opt %s -p poly-verify | filecheck %s --check-prefix=MODULE

// out[i] = in[max(i, 5)] for i < n, where i = G0 + x. Groups of random sizes are looked at, a few of
// them smaller than a tile, some on one or the other side of 5 and of n. Each work-item is executed:
// the interior's tiles do what its class says, and the codelets have each work-item once. The module
// stays as it is.
// MODULE: poly.codelet lanes 4 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform>

// CHECK: poly_verify.mlir:[[# @LINE + 7]]:5: remark: @clamp_x: checked 100 groups, {{[0-9]+}} work-items, {{[1-9][0-9]+}} tiles, {{[1-9][0-9]+}} pairs of accesses [poly-verify]
// CHECK-NEXT: poly_verify.mlir:[[# @LINE + 4]]:3: remark: @clamp: checked 100 groups, {{[0-9]+}} work-items, {{[0-9]+}} accesses [poly-verify]
// FEW: @clamp_x: checked 10 groups
func.func @clamp(%L0: index, %G0: index, %n: index, %in: !ocl.ptr<f32, global>, %out: !ocl.ptr<f32, global>) {
  %c5 = arith.constant 5 : index
  poly.kernel @clamp(%L0, %G0, %n) params ["L0", "G0", "n"] work_items ["x"] context #poly.set<"[L0, G0] -> { : L0 > 0 and G0 >= 0 }"> {
  ^bb0(%i: index):
    poly.subkernel @clamp_x along 0 width 4 domain #poly.set<"[L0, G0, n] -> { R[x] : 0 <= x < L0 }"> {
      poly.codelet lanes 4 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"[L0, G0, n] -> { interior[t] : 4t + G0 >= 5 and 0 <= 4t and 4t + 3 < L0 and 4t + 3 + G0 < n }"> {
      ^bb1(%x: index):
        %gid = arith.addi %G0, %x : index
        %inside = arith.cmpi slt, %gid, %n : index
        scf.if %inside {
          %at = arith.maxsi %gid, %c5 : index
          %v = ocl.load %in[%at] : !ocl.ptr<f32, global>
          ocl.store %v, %out[%gid] : !ocl.ptr<f32, global>
        }
      }
      poly.codelet lanes 4 along 0 class #poly.class<tile = full, mem = div, ctl = mixed> domain #poly.set<"[L0, G0, n] -> { divergent[t] : 0 <= 4t and 4t + 3 < L0 and (4t + G0 < 5 or 4t + 3 + G0 >= n) }"> {
      ^bb1(%x: index):
        %gid = arith.addi %G0, %x : index
        %inside = arith.cmpi slt, %gid, %n : index
        scf.if %inside {
          %at = arith.maxsi %gid, %c5 : index
          %v = ocl.load %in[%at] : !ocl.ptr<f32, global>
          ocl.store %v, %out[%gid] : !ocl.ptr<f32, global>
        }
      }
      poly.codelet lanes 1 along 0 class #poly.class<tile = partial, mem = div, ctl = mixed> domain #poly.set<"[L0, G0, n] -> { partial[x] : 4*floor(L0/4) <= x < L0 }"> {
      ^bb1(%x: index):
        %gid = arith.addi %G0, %x : index
        %inside = arith.cmpi slt, %gid, %n : index
        scf.if %inside {
          %at = arith.maxsi %gid, %c5 : index
          %v = ocl.load %in[%at] : !ocl.ptr<f32, global>
          ocl.store %v, %out[%gid] : !ocl.ptr<f32, global>
        }
      }
    }
  }
  func.return
}
