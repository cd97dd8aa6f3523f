// RUN: ocl-opt %s -p "wg-jam{rows=2 vectors=2}" | filecheck %s
// RUN: ocl-opt %s -p "wg-jam{rows=3}" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// A row of a matrix product: two rows and two vectors share the loop. A is loaded once for each
// row, B once for each vector, and used for all four tiles.
// REMARK: wg_jam.mlir:[[# @LINE + 7]]:3: remark: not jammed: 3 x 1 tiles do not divide the work-group [wg-jam]
wg.func @product(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}, %c: !ocl.ptr<f32, global> {ocl.name = "c"}) {
  %lx = arith.constant 16 : index
  %ly = arith.constant 4 : index
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %start = arith.constant dense<0.0> : vector<4xf32>
  wg.parallel (%x, %y, %z) in (%lx, %ly, %one) step (4, 1, 1) {
    %sum = scf.for %k = %zero to %lx step %one iter_args(%s = %start) -> (vector<4xf32>) {
      %row = arith.muli %y, %lx : index
      %i = arith.addi %row, %k : index
      %u = ocl.load %a[%i] : !ocl.ptr<f32, global>
      %us = vector.broadcast %u : f32 to vector<4xf32>
      %line = arith.muli %k, %lx : index
      %j = arith.addi %line, %x : index
      %v = wg.load %b[%j] : !ocl.ptr<f32, global> -> vector<4xf32>
      %p = arith.mulf %us, %v : vector<4xf32>
      %t = arith.addf %s, %p : vector<4xf32>
      scf.yield %t : vector<4xf32>
    }
    wg.store %sum, %c[%x] : vector<4xf32>, !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @product(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}, %c: !ocl.ptr<f32, global> {ocl.name = "c"}) {
// CHECK-NEXT:      %lx = arith.constant 16 : index
// CHECK-NEXT:      %ly = arith.constant 4 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      %zero = arith.constant 0 : index
// CHECK-NEXT:      %start = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%lx, %ly, %one) step (8, 2, 1) {
// CHECK-NEXT:        %0 = arith.constant 4 : index
// CHECK-NEXT:        %x_1 = arith.addi %x, %0 : index
// CHECK-NEXT:        %1 = arith.constant 1 : index
// CHECK-NEXT:        %y_1 = arith.addi %y, %1 : index
// CHECK-NEXT:        %sum, %sum_1, %sum_2, %sum_3 = scf.for %k = %zero to %lx step %one iter_args(%s = %start, %s_1 = %start, %s_2 = %start, %s_3 = %start) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
// CHECK-NEXT:          %row = arith.muli %y, %lx : index
// CHECK-NEXT:          %row_1 = arith.muli %y_1, %lx : index
// CHECK-NEXT:          %i = arith.addi %row, %k : index
// CHECK-NEXT:          %i_1 = arith.addi %row_1, %k : index
// CHECK-NEXT:          %u = ocl.load %a[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:          %u_1 = ocl.load %a[%i_1] : !ocl.ptr<f32, global>
// CHECK-NEXT:          %us = vector.broadcast %u : f32 to vector<4xf32>
// CHECK-NEXT:          %us_1 = vector.broadcast %u_1 : f32 to vector<4xf32>
// CHECK-NEXT:          %line = arith.muli %k, %lx : index
// CHECK-NEXT:          %j = arith.addi %line, %x : index
// CHECK-NEXT:          %j_1 = arith.addi %line, %x_1 : index
// CHECK-NEXT:          %v = wg.load %b[%j] : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:          %v_1 = wg.load %b[%j_1] : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:          %p = arith.mulf %us, %v : vector<4xf32>
// CHECK-NEXT:          %p_1 = arith.mulf %us, %v_1 : vector<4xf32>
// CHECK-NEXT:          %p_2 = arith.mulf %us_1, %v : vector<4xf32>
// CHECK-NEXT:          %p_3 = arith.mulf %us_1, %v_1 : vector<4xf32>
// CHECK-NEXT:          %t = arith.addf %s, %p : vector<4xf32>
// CHECK-NEXT:          %t_1 = arith.addf %s_1, %p_1 : vector<4xf32>
// CHECK-NEXT:          %t_2 = arith.addf %s_2, %p_2 : vector<4xf32>
// CHECK-NEXT:          %t_3 = arith.addf %s_3, %p_3 : vector<4xf32>
// CHECK-NEXT:          scf.yield %t, %t_1, %t_2, %t_3 : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:        wg.store %sum, %c[%x] : vector<4xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:        wg.store %sum_1, %c[%x_1] : vector<4xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:        wg.store %sum_2, %c[%x] : vector<4xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:        wg.store %sum_3, %c[%x_1] : vector<4xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// A trip count that differs from row to row: a loop for each row, which its vectors share.
wg.func @triangle(%b: !ocl.ptr<f32, global> {ocl.name = "b"}) {
  %lx = arith.constant 8 : index
  %ly = arith.constant 4 : index
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  wg.parallel (%x, %y, %z) in (%lx, %ly, %one) step (4, 1, 1) {
    scf.for %k = %zero to %y step %one {
      %v = wg.load %b[%x] : !ocl.ptr<f32, global> -> vector<4xf32>
      wg.store %v, %b[%x] : vector<4xf32>, !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @triangle(%b: !ocl.ptr<f32, global> {ocl.name = "b"}) {
// CHECK-NEXT:      %lx = arith.constant 8 : index
// CHECK-NEXT:      %ly = arith.constant 4 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      %zero = arith.constant 0 : index
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%lx, %ly, %one) step (8, 2, 1) {
// CHECK-NEXT:        %0 = arith.constant 4 : index
// CHECK-NEXT:        %x_1 = arith.addi %x, %0 : index
// CHECK-NEXT:        %1 = arith.constant 1 : index
// CHECK-NEXT:        %y_1 = arith.addi %y, %1 : index
// CHECK-NEXT:        scf.for %k = %zero to %y step %one {
// CHECK-NEXT:          %v = wg.load %b[%x] : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:          %v_1 = wg.load %b[%x_1] : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:          wg.store %v, %b[%x] : vector<4xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:          wg.store %v_1, %b[%x_1] : vector<4xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:        }
// CHECK-NEXT:        scf.for %k_1 = %zero to %y_1 step %one {
// CHECK-NEXT:          %v_2 = wg.load %b[%x] : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:          %v_3 = wg.load %b[%x_1] : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:          wg.store %v_2, %b[%x] : vector<4xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:          wg.store %v_3, %b[%x_1] : vector<4xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// A loop that runs while any lane is on runs while any lane of any tile is.
wg.func @while_any(%b: !ocl.ptr<i32, global> {ocl.name = "b"}) {
  %lx = arith.constant 8 : index
  %one = arith.constant 1 : index
  %zero = arith.constant dense<0> : vector<4xi32>
  %c1 = arith.constant dense<1> : vector<4xi32>
  %two = arith.constant 2 : index
  wg.parallel (%x, %y, %z) in (%lx, %two, %one) step (4, 1, 1) {
    %v = wg.load %b[%x] : !ocl.ptr<i32, global> -> vector<4xi32>
    %last = scf.while (%w = %v) : (vector<4xi32>) -> (vector<4xi32>) {
      %on = vec.cmpi ne, %w, %zero : vector<4xi32>
      %any = wg.any_lane %on : vector<4xi1>
      scf.condition(%any) %w : vector<4xi32>
    } do {
    ^bb0(%w: vector<4xi32>):
      %half = arith.shrui %w, %c1 : vector<4xi32>
      scf.yield %half : vector<4xi32>
    }
    wg.store %last, %b[%x] : vector<4xi32>, !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @while_any(%b: !ocl.ptr<i32, global> {ocl.name = "b"}) {
// CHECK-NEXT:      %lx = arith.constant 8 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      %zero = arith.constant dense<0> : vector<4xi32>
// CHECK-NEXT:      %c1 = arith.constant dense<1> : vector<4xi32>
// CHECK-NEXT:      %two = arith.constant 2 : index
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%lx, %two, %one) step (8, 2, 1) {
// CHECK-NEXT:        %0 = arith.constant 4 : index
// CHECK-NEXT:        %x_1 = arith.addi %x, %0 : index
// CHECK-NEXT:        %1 = arith.constant 1 : index
// CHECK-NEXT:        %y_1 = arith.addi %y, %1 : index
// CHECK-NEXT:        %v = wg.load %b[%x] : !ocl.ptr<i32, global> -> vector<4xi32>
// CHECK-NEXT:        %v_1 = wg.load %b[%x_1] : !ocl.ptr<i32, global> -> vector<4xi32>
// CHECK-NEXT:        %last, %last_1 = scf.while (%w = %v, %w_1 = %v_1) : (vector<4xi32>, vector<4xi32>) -> (vector<4xi32>, vector<4xi32>) {
// CHECK-NEXT:          %on = vec.cmpi ne, %w, %zero : vector<4xi32>
// CHECK-NEXT:          %on_1 = vec.cmpi ne, %w_1, %zero : vector<4xi32>
// CHECK-NEXT:          %any = wg.any_lane %on : vector<4xi1>
// CHECK-NEXT:          %any_1 = wg.any_lane %on_1 : vector<4xi1>
// CHECK-NEXT:          %2 = arith.ori %on, %on_1 : vector<4xi1>
// CHECK-NEXT:          %3 = wg.any_lane %2 : vector<4xi1>
// CHECK-NEXT:          scf.condition(%3) %w, %w_1 : vector<4xi32>, vector<4xi32>
// CHECK-NEXT:        } do {
// CHECK-NEXT:        ^bb0(%w_2: vector<4xi32>, %w_3: vector<4xi32>):
// CHECK-NEXT:          %half = arith.shrui %w_2, %c1 : vector<4xi32>
// CHECK-NEXT:          %half_1 = arith.shrui %w_3, %c1 : vector<4xi32>
// CHECK-NEXT:          scf.yield %half, %half_1 : vector<4xi32>, vector<4xi32>
// CHECK-NEXT:        }
// CHECK-NEXT:        wg.store %last, %b[%x] : vector<4xi32>, !ocl.ptr<i32, global>
// CHECK-NEXT:        wg.store %last_1, %b[%x_1] : vector<4xi32>, !ocl.ptr<i32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }
