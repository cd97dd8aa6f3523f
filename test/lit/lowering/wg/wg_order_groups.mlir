// RUN: ocl-opt %s -p wg-order-groups | filecheck %s
// RUN: ocl-opt %s -p wg-order-groups,wg-to-scf,wg-to-launch | filecheck %s --check-prefix LAUNCH
// RUN: ocl-opt %s -p wg-order-groups --remarks 2>&1 >/dev/null | filecheck %s --check-prefix REMARK

// A group of 64 x 4 reads 64 columns of b and 4 rows of a. The next group along y reads the
// same columns, and 4 other rows.
// CHECK-LABEL: wg.func @panels(
// CHECK-SAME: group_order = array<i64: 1, 0, 2>
// REMARK: y runs fastest: with x, loops read 16 times as much anew in each group [wg-order-groups]
// LAUNCH-LABEL: func.func @panels(
// LAUNCH: %group_y = arith.remui %group, %num_groups_y : index
// LAUNCH: %{{.*}} = arith.divui %group, %num_groups_y : index
wg.func @panels(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}, %c: !ocl.ptr<f32, global> {ocl.name = "c"}) attributes {local_size = array<i64: 64, 4, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %n = arith.constant 512 : index
  %zero = arith.constant 0.0 : f32
  %gy = ocl.group_id 1 : index
  %top = arith.muli %gy, %c4 : index
  %gx = ocl.group_id 0 : index
  %left = arith.muli %gx, %c64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c4, %c1) {
    %row = arith.addi %top, %y : index
    %column = arith.addi %left, %x : index
    %start = arith.muli %row, %n : index
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
      %ia = arith.addi %start, %k : index
      %va = ocl.load %a[%ia] : !ocl.ptr<f32, global>
      %line = arith.muli %k, %n : index
      %ib = arith.addi %line, %column : index
      %vb = ocl.load %b[%ib] : !ocl.ptr<f32, global>
      %p = arith.mulf %va, %vb : f32
      %t = arith.addf %s, %p : f32
      scf.yield %t : f32
    }
    %i = arith.addi %start, %column : index
    ocl.store %sum, %c[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// What depends on both ids is read anew along either: x stays fastest.
// CHECK-LABEL: wg.func @window(
// CHECK-NOT: group_order
// LAUNCH-LABEL: func.func @window(
// LAUNCH: %group_x = arith.remui %group, %num_groups_x : index
wg.func @window(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) attributes {local_size = array<i64: 64, 4, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %n = arith.constant 512 : index
  %gx = ocl.group_id 0 : index
  %gy = ocl.group_id 1 : index
  %both = arith.addi %gx, %gy : index
  wg.parallel (%x, %y, %z) in (%c64, %c4, %c1) {
    scf.for %k = %c0 to %n step %c1 {
      %i = arith.addi %both, %k : index
      %v = ocl.load %a[%i] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// Atomic operations, as printf, let a program see the order: it stays.
// CHECK-LABEL: wg.func @counted(
// CHECK-NOT: group_order
wg.func @counted(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}, %c: !ocl.ptr<f32, global> {ocl.name = "c"}, %count: !ocl.ptr<i32, global> {ocl.name = "count"}) attributes {local_size = array<i64: 64, 4, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %n = arith.constant 512 : index
  %zero = arith.constant 0.0 : f32
  %gy = ocl.group_id 1 : index
  %top = arith.muli %gy, %c4 : index
  %gx = ocl.group_id 0 : index
  %left = arith.muli %gx, %c64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c4, %c1) {
    %row = arith.addi %top, %y : index
    %column = arith.addi %left, %x : index
    %start = arith.muli %row, %n : index
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
      %ia = arith.addi %start, %k : index
      %va = ocl.load %a[%ia] : !ocl.ptr<f32, global>
      %line = arith.muli %k, %n : index
      %ib = arith.addi %line, %column : index
      %vb = ocl.load %b[%ib] : !ocl.ptr<f32, global>
      %p = arith.mulf %va, %vb : f32
      %t = arith.addf %s, %p : f32
      scf.yield %t : f32
    }
    %i = arith.addi %start, %column : index
    %one = arith.constant 1 : i32
    %old = ocl.atomic_rmw add %count, %one : !ocl.ptr<i32, global>
    ocl.store %sum, %c[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// Along y the next work-item accesses the next element of a and of row, along x another line of
// memory of a: y runs fastest, though nothing is in a loop.
// CHECK-LABEL: wg.func @columns(
// CHECK-SAME: group_order = array<i64: 1, 0, 2>
// REMARK: y runs fastest: with x, what is accessed lies 5 times as far apart [wg-order-groups]
wg.func @columns(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %row: !ocl.ptr<f32, global> {ocl.name = "row"}, %size: i64 {ocl.name = "size"}) attributes {local_size = array<i64: 16, 16, 1>} {
  %n = arith.index_cast %size : i64 to index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %gx = ocl.group_id 0 : index
  %left = arith.muli %gx, %c16 : index
  %gy = ocl.group_id 1 : index
  %top = arith.muli %gy, %c16 : index
  wg.parallel (%x, %y, %z) in (%c16, %c16, %c1) {
    %i = arith.addi %left, %x : index
    %j = arith.addi %top, %y : index
    %line = arith.muli %i, %n : index
    %ij = arith.addi %line, %j : index
    %v = ocl.load %a[%ij] : !ocl.ptr<f32, global>
    %r = ocl.load %row[%j] : !ocl.ptr<f32, global>
    %d = arith.subf %v, %r : f32
    ocl.store %d, %a[%ij] : !ocl.ptr<f32, global>
  }
  wg.return
}

// A transposition has one access in a row along either: x stays fastest.
// CHECK-LABEL: wg.func @transpose(
// CHECK-NOT: group_order
wg.func @transpose(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}, %size: i64 {ocl.name = "size"}) attributes {local_size = array<i64: 16, 16, 1>} {
  %n = arith.index_cast %size : i64 to index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %gx = ocl.group_id 0 : index
  %left = arith.muli %gx, %c16 : index
  %gy = ocl.group_id 1 : index
  %top = arith.muli %gy, %c16 : index
  wg.parallel (%x, %y, %z) in (%c16, %c16, %c1) {
    %i = arith.addi %left, %x : index
    %j = arith.addi %top, %y : index
    %line = arith.muli %i, %n : index
    %ij = arith.addi %line, %j : index
    %column = arith.muli %j, %n : index
    %ji = arith.addi %column, %i : index
    %v = ocl.load %a[%ij] : !ocl.ptr<f32, global>
    ocl.store %v, %b[%ji] : !ocl.ptr<f32, global>
  }
  wg.return
}
