// RUN: ocl-opt %s -p "wg-interleave{vectors=2}" | filecheck %s
// RUN: ocl-opt %s -p "wg-interleave{vectors=2}" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Operations that wait for each other stand next to those of another tile, which wait for nothing.
// REMARK: wg_interleave.mlir:[[# @LINE + 5]]:3: remark: 1 rows x 2 vectors share one body [wg-interleave]
wg.func @chain(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
  %lx = arith.constant 16 : index
  %one = arith.constant 1 : index
  %c = arith.constant dense<0.5> : vector<4xf32>
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) step (4, 1, 1) {
    %v = wg.load %a[%x] : !ocl.ptr<f32, global> -> vector<4xf32>
    %e = arith.mulf %v, %c : vector<4xf32>
    %f = arith.addf %e, %v : vector<4xf32>
    wg.store %f, %a[%x] : vector<4xf32>, !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @chain(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
// CHECK-NEXT:      %lx = arith.constant 16 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      %c = arith.constant dense<5.000000e-01> : vector<4xf32>
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%lx, %one, %one) step (8, 1, 1) {
// CHECK-NEXT:        %0 = arith.constant 4 : index
// CHECK-NEXT:        %x_1 = arith.addi %x, %0 : index
// CHECK-NEXT:        %v = wg.load %a[%x] : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:        %v_1 = wg.load %a[%x_1] : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:        %e = arith.mulf %v, %c : vector<4xf32>
// CHECK-NEXT:        %e_1 = arith.mulf %v_1, %c : vector<4xf32>
// CHECK-NEXT:        %f = arith.addf %e, %v : vector<4xf32>
// CHECK-NEXT:        %f_1 = arith.addf %e_1, %v_1 : vector<4xf32>
// CHECK-NEXT:        wg.store %f, %a[%x] : vector<4xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:        wg.store %f_1, %a[%x_1] : vector<4xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// Three tiles are no multiple of two.
// REMARK: remark: not jammed: 1 x 2 tiles do not divide the work-group [wg-interleave]
wg.func @odd(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
  %lx = arith.constant 12 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) step (4, 1, 1) {
    %v = wg.load %a[%x] : !ocl.ptr<f32, global> -> vector<4xf32>
    wg.store %v, %a[%x] : vector<4xf32>, !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @odd(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
// CHECK-NEXT:      %lx = arith.constant 12 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%lx, %one, %one) step (4, 1, 1) {
// CHECK-NEXT:        %v = wg.load %a[%x] : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:        wg.store %v, %a[%x] : vector<4xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }
