// RUN: ocl-opt %s -p poly-verify --split-input-file --verify-diagnostics | filecheck %s

// The class of the divergent tiles says too much: one of them is left of element 5, where all
// work-items read that one.
// CHECK: kernel @clamp, subkernel @clamp_x, codelet 'divergent': work-items (x = {{[0-9]+}}) and (x = {{[0-9]+}}) access bytes 20 and 20 by 'ocl.load', not neighbouring elements; the class has mem = cons; with L0 = {{[0-9]+}}, G0 = {{[0-9]+}}, n = {{-?[0-9]+}}
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
      poly.codelet lanes 4 along 0 class #poly.class<tile = full, mem = cons, ctl = mixed> domain #poly.set<"[L0, G0, n] -> { divergent[t] : 0 <= 4t and 4t + 3 < L0 and (4t + G0 < 5 or 4t + 3 + G0 >= n) }"> {
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

// -----

// The other tiles of the same codelet are where some work-items are past the end.
// CHECK: codelet 'divergent': work-items (x = {{[0-9]+}}) and (x = {{[0-9]+}}) diverge at 'scf.if': 1 and 0; the class has ctl = uniform; with L0
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
      poly.codelet lanes 4 along 0 class #poly.class<tile = full, mem = div, ctl = uniform> domain #poly.set<"[L0, G0, n] -> { divergent[t] : 0 <= 4t and 4t + 3 < L0 and (4t + G0 < 5 or 4t + 3 + G0 >= n) }"> {
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

// -----

// A work-item that is not in the domain writes: the domain ends one too early.
// CHECK: subkernel @clamp_x: work-item (x = {{[0-9]+}}) is not in the domain, but it executes 'ocl.store'; with L0
func.func @clamp(%L0: index, %G0: index, %n: index, %in: !ocl.ptr<f32, global>, %out: !ocl.ptr<f32, global>) {
  %c5 = arith.constant 5 : index
  poly.kernel @clamp(%L0, %G0, %n) params ["L0", "G0", "n"] work_items ["x"] context #poly.set<"[L0, G0] -> { : L0 > 0 and G0 >= 0 }"> {
  ^bb0(%i: index):
    poly.subkernel @clamp_x along 0 width 1 domain #poly.set<"[L0] -> { R[x] : 0 <= x < L0 - 1 }"> {
      poly.codelet lanes 1 along 0 class #poly.class<tile = partial, mem = div, ctl = mixed> domain #poly.set<"[L0, G0, n] -> { partial[x] : 0 <= x < L0 - 1 }"> {
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

// -----

// The last tile of a group has lanes that no group has. The domain has them, too, so that the
// verifier of the subkernel, which does not know how large groups are, lets it pass.
// CHECK: subkernel @clamp_x: work-item (x = {{[0-9]+}}) is in the domain, but the group does not have it; with L0
func.func @clamp(%L0: index, %G0: index, %n: index, %in: !ocl.ptr<f32, global>, %out: !ocl.ptr<f32, global>) {
  %c5 = arith.constant 5 : index
  poly.kernel @clamp(%L0, %G0, %n) params ["L0", "G0", "n"] work_items ["x"] context #poly.set<"[L0, G0] -> { : L0 > 0 and G0 >= 0 }"> {
  ^bb0(%i: index):
    poly.subkernel @clamp_x along 0 width 4 domain #poly.set<"[L0] -> { R[x] : 0 <= 4*floor(x/4) < L0 }"> {
      poly.codelet lanes 4 along 0 class #poly.class<tile = full, mem = div, ctl = mixed> domain #poly.set<"[L0, G0, n] -> { all[t] : 0 <= 4t < L0 }"> {
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

// -----

// Nothing can be checked where the size of the group is not known.
// CHECK: expected the size of the group as an operand named 'L0'
func.func @sizeless(%n: index) {
  poly.kernel @sizeless(%n) params ["n"] work_items ["x"] context #poly.set<"[n] -> { : n > 0 }"> {
  ^bb0(%x: index):
  }
  func.return
}
