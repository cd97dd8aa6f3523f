// RUN: ocl-opt %s -p 'poly-extract,poly-score,poly-split,poly-score{max-ops=20}' --remarks > %t 2>&1
// RUN: filecheck %s < %t
// RUN: not ocl-opt %s -p 'poly-score{cons=-1}' 2>&1 | filecheck %s --check-prefix=WEIGHT

// WEIGHT: poly-score: expected weights of at least 0

// Nothing is to score before poly-split. Behind it isl needs more than 20 operations: no scores and
// no dispatch, which means the first subkernel with a full tile.
wg.func @copy(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}) {
  %lx = ocl.local_size 0 : index
  %c1 = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%lx, %c1, %c1) {
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    ocl.store %v, %b[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK: poly.subkernel @copy_0_x along 0 width 8 domain
// CHECK: poly.subkernel @copy_0_scalar along 0 width 1 domain
// CHECK-NOT: poly.dispatch
// CHECK: poly_score_invalid.mlir:[[# @LINE - 10]]:3: remark: not scored: isl needed more than 20 operations [poly-score]
