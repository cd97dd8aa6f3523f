// RUN: ocl-opt %s -p wg-replicate | filecheck %s
// RUN: ocl-opt %s -p wg-replicate --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// 2 x 1 x 2 work-items: four bodies, and nothing that differs is left to a loop. The load of %b[%x]
// is the same for both z, the load of %n for all.
wg.func @straight(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}, %n: !ocl.ptr<f32, global> {ocl.name = "n"}) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  // REMARK: wg_replicate.mlir:[[# @LINE + 1]]:3: remark: replicated: 4 copies side by side [wg-replicate]
  wg.parallel (%x, %y, %z) in (%two, %one, %two) {
    %u = ocl.load %n : !ocl.ptr<f32, global>
    %v = ocl.load %b[%x] : !ocl.ptr<f32, global>
    %w = arith.mulf %u, %v : f32
    %row = arith.muli %z, %two : index
    %i = arith.addi %row, %x : index
    ocl.store %w, %a[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @straight(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}, %n: !ocl.ptr<f32, global> {ocl.name = "n"}) {
// CHECK-NEXT:    %one = arith.constant 1 : index
// CHECK-NEXT:    %two = arith.constant 2 : index
// CHECK-NEXT:    wg.parallel (%x, %y, %z) in (%two, %one, %two) step (2, 1, 2) {
// CHECK-NEXT:      %0 = arith.constant 1 : index
// CHECK-NEXT:      %z_1 = arith.addi %z, %0 : index
// CHECK-NEXT:      %1 = arith.constant 1 : index
// CHECK-NEXT:      %x_1 = arith.addi %x, %1 : index
// CHECK-NEXT:      %u = ocl.load %n : !ocl.ptr<f32, global>
// CHECK-NEXT:      %v = ocl.load %b[%x] : !ocl.ptr<f32, global>
// CHECK-NEXT:      %v_1 = ocl.load %b[%x_1] : !ocl.ptr<f32, global>
// CHECK-NEXT:      %w = arith.mulf %u, %v : f32
// CHECK-NEXT:      %w_1 = arith.mulf %u, %v_1 : f32
// CHECK-NEXT:      %row = arith.muli %z, %two : index
// CHECK-NEXT:      %row_1 = arith.muli %z_1, %two : index
// CHECK-NEXT:      %i = arith.addi %row, %x : index
// CHECK-NEXT:      %i_1 = arith.addi %row_1, %x : index
// CHECK-NEXT:      %i_2 = arith.addi %row, %x_1 : index
// CHECK-NEXT:      %i_3 = arith.addi %row_1, %x_1 : index
// CHECK-NEXT:      ocl.store %w, %a[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:      ocl.store %w, %a[%i_1] : !ocl.ptr<f32, global>
// CHECK-NEXT:      ocl.store %w_1, %a[%i_2] : !ocl.ptr<f32, global>
// CHECK-NEXT:      ocl.store %w_1, %a[%i_3] : !ocl.ptr<f32, global>
// CHECK-NEXT:    }
// CHECK-NEXT:    wg.return
// CHECK-NEXT:  }

// A loop that all go round equally often is one loop; a branch that some take is one for each.
wg.func @control(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %m: i64 {ocl.name = "m"}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %n = arith.index_cast %m : i64 to index
  %start = arith.constant 0.0 : f32
  // REMARK: wg_replicate.mlir:[[# @LINE + 1]]:3: remark: replicated: 2 copies side by side [wg-replicate]
  wg.parallel (%x, %y, %z) in (%two, %one, %one) {
    %sum = scf.for %k = %zero to %n step %one iter_args(%s = %start) -> (f32) {
      %at = arith.addi %k, %x : index
      %v = ocl.load %a[%at] : !ocl.ptr<f32, global>
      %t = arith.addf %s, %v : f32
      scf.yield %t : f32
    }
    %in = arith.cmpi slt, %x, %n : index
    scf.if %in {
      ocl.store %sum, %a[%x] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @control(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %m: i64 {ocl.name = "m"}) {
// CHECK-NEXT:    %zero = arith.constant 0 : index
// CHECK-NEXT:    %one = arith.constant 1 : index
// CHECK-NEXT:    %two = arith.constant 2 : index
// CHECK-NEXT:    %n = arith.index_cast %m : i64 to index
// CHECK-NEXT:    %start = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    wg.parallel (%x, %y, %z) in (%two, %one, %one) step (2, 1, 1) {
// CHECK-NEXT:      %0 = arith.constant 1 : index
// CHECK-NEXT:      %x_1 = arith.addi %x, %0 : index
// CHECK-NEXT:      %sum, %sum_1 = scf.for %k = %zero to %n step %one iter_args(%s = %start, %s_1 = %start) -> (f32, f32) {
// CHECK-NEXT:        %at = arith.addi %k, %x : index
// CHECK-NEXT:        %at_1 = arith.addi %k, %x_1 : index
// CHECK-NEXT:        %v = ocl.load %a[%at] : !ocl.ptr<f32, global>
// CHECK-NEXT:        %v_1 = ocl.load %a[%at_1] : !ocl.ptr<f32, global>
// CHECK-NEXT:        %t = arith.addf %s, %v : f32
// CHECK-NEXT:        %t_1 = arith.addf %s_1, %v_1 : f32
// CHECK-NEXT:        scf.yield %t, %t_1 : f32, f32
// CHECK-NEXT:      }
// CHECK-NEXT:      %in = arith.cmpi slt, %x, %n : index
// CHECK-NEXT:      %in_1 = arith.cmpi slt, %x_1, %n : index
// CHECK-NEXT:      scf.if %in {
// CHECK-NEXT:        ocl.store %sum, %a[%x] : !ocl.ptr<f32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.if %in_1 {
// CHECK-NEXT:        ocl.store %sum_1, %a[%x_1] : !ocl.ptr<f32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    wg.return
// CHECK-NEXT:  }

// Refused: more copies than max_items, and a size that is not constant.
wg.func @refused(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %v: f32 {ocl.name = "v"}) {
  %one = arith.constant 1 : index
  %many = arith.constant 65 : index
  %lx = ocl.local_size 0 : index
  // REMARK: wg_replicate.mlir:[[# @LINE + 1]]:3: remark: not replicated: 65 copies, max_items is 64 [wg-replicate]
  wg.parallel (%x, %y, %z) in (%many, %one, %one) {
    ocl.store %v, %a[%x] : !ocl.ptr<f32, global>
  }
  // REMARK: wg_replicate.mlir:[[# @LINE + 1]]:3: remark: not replicated: its size is not constant [wg-replicate]
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    ocl.store %v, %a[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @refused(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %v: f32 {ocl.name = "v"}) {
// CHECK-NEXT:    %one = arith.constant 1 : index
// CHECK-NEXT:    %many = arith.constant 65 : index
// CHECK-NEXT:    %lx = ocl.local_size 0 : index
// CHECK-NEXT:    wg.parallel (%x, %y, %z) in (%many, %one, %one) {
// CHECK-NEXT:      ocl.store %v, %a[%x] : !ocl.ptr<f32, global>
// CHECK-NEXT:    }
// CHECK-NEXT:    wg.parallel (%x_1, %y_1, %z_1) in (%lx, %one, %one) {
// CHECK-NEXT:      ocl.store %v, %a[%x_1] : !ocl.ptr<f32, global>
// CHECK-NEXT:    }
// CHECK-NEXT:    wg.return
// CHECK-NEXT:  }
