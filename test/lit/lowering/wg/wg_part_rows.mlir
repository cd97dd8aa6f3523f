// RUN: ocl-opt %s -p wg-part-rows | filecheck %s
// RUN: ocl-opt %s -p wg-part-rows --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// The sum goes on in the order of the row; what is written lies side by side. Between the loops is
// a barrier, by which ocl-to-wg cuts.
ocl.kernel @centred(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %y: !ocl.ptr<f32, global> {ocl.name = "y"}, %m: i64 {ocl.name = "m"}) attributes {reqd_work_group_size = array<i64: 64, 1, 1>} {
  %n = arith.index_cast %m : i64 to index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f32
  %i = ocl.global_id 0 : index
  %row = arith.muli %i, %n : index
  %sum = scf.for %j = %zero to %n step %one iter_args(%s = %none) -> (f32) {
    %at = arith.addi %row, %j : index
    %e = ocl.load %x[%at] : !ocl.ptr<f32, global>
    %t = arith.addf %s, %e : f32
    scf.yield %t : f32
  }
  // REMARK: wg_part_rows.mlir:[[# @LINE + 1]]:3: remark: in a region of its own: it writes rows [wg-part-rows]
  scf.for %j = %zero to %n step %one {
    %at = arith.addi %row, %j : index
    %e = ocl.load %x[%at] : !ocl.ptr<f32, global>
    %d = arith.subf %e, %sum : f32
    ocl.store %d, %y[%at] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @centred
// CHECK:         %sum = scf.for
// CHECK:         }
// CHECK-NEXT:    ocl.barrier
// CHECK-NEXT:    scf.for
// CHECK:         }
// CHECK-NEXT:    ocl.return

// A loop that sums what it writes becomes two. The second one reads the row.
ocl.kernel @doubled(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %y: !ocl.ptr<f32, global> {ocl.name = "y"}, %sums: !ocl.ptr<f32, global> {ocl.name = "sums"}, %m: i64 {ocl.name = "m"}) attributes {reqd_work_group_size = array<i64: 64, 1, 1>} {
  %n = arith.index_cast %m : i64 to index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f32
  %i = ocl.global_id 0 : index
  %row = arith.muli %i, %n : index
  %sum = scf.for %j = %zero to %n step %one iter_args(%s = %none) -> (f32) {
    %at = arith.addi %row, %j : index
    %e = ocl.load %x[%at] : !ocl.ptr<f32, global>
    %d = arith.addf %e, %e : f32
    %t = arith.addf %s, %d : f32
    ocl.store %d, %y[%at] : !ocl.ptr<f32, global>
    scf.yield %t : f32
  }
  ocl.store %sum, %sums[%i] : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @doubled
// CHECK:         scf.for %j = %zero to %n step %one {
// CHECK-NEXT:      %at = arith.addi %row, %j : index
// CHECK-NEXT:      %e = ocl.load %x[%at] : !ocl.ptr<f32, global>
// CHECK-NEXT:      %d = arith.addf %e, %e : f32
// CHECK-NEXT:      ocl.store %d, %y[%at] : !ocl.ptr<f32, global>
// CHECK-NEXT:    }
// CHECK-NEXT:    ocl.barrier
// CHECK-NEXT:    %sum = scf.for %j_1 = %zero to %n step %one iter_args(%s = %none) -> (f32) {
// CHECK-NEXT:      %at_1 = arith.addi %row, %j_1 : index
// CHECK-NEXT:      %d_1 = ocl.load %y[%at_1] : !ocl.ptr<f32, global>
// CHECK-NEXT:      %t = arith.addf %s, %d_1 : f32
// CHECK-NEXT:      scf.yield %t : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    ocl.store %sum, %sums[%i] : !ocl.ptr<f32, global>

// A sum of integers has no order: one work-item's iterations are vectors in both loops.
ocl.kernel @integers(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %y: !ocl.ptr<i32, global> {ocl.name = "y"}, %m: i64 {ocl.name = "m"}) attributes {reqd_work_group_size = array<i64: 64, 1, 1>} {
  %n = arith.index_cast %m : i64 to index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %i = ocl.global_id 0 : index
  %row = arith.muli %i, %n : index
  %sum = scf.for %j = %zero to %n step %one iter_args(%s = %none) -> (i32) {
    %at = arith.addi %row, %j : index
    %e = ocl.load %x[%at] : !ocl.ptr<i32, global>
    %t = arith.addi %s, %e : i32
    scf.yield %t : i32
  }
  scf.for %j = %zero to %n step %one {
    %at = arith.addi %row, %j : index
    ocl.store %sum, %y[%at] : !ocl.ptr<i32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @integers
// CHECK-NOT:     ocl.barrier
// CHECK:         ocl.return

// A loop over planes does no more than to write rows: all of it has a region of its own.
ocl.kernel @planes(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %g: !ocl.ptr<f32, global> {ocl.name = "g"}, %y: !ocl.ptr<f32, global> {ocl.name = "y"}, %m: i64 {ocl.name = "m"}) attributes {reqd_work_group_size = array<i64: 64, 1, 1>} {
  %n = arith.index_cast %m : i64 to index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f32
  %i = ocl.global_id 0 : index
  %square = arith.muli %n, %n : index
  %row = arith.muli %i, %square : index
  %sum = scf.for %j = %zero to %square step %one iter_args(%s = %none) -> (f32) {
    %at = arith.addi %row, %j : index
    %e = ocl.load %x[%at] : !ocl.ptr<f32, global>
    %t = arith.addf %s, %e : f32
    scf.yield %t : f32
  }
  scf.for %c = %zero to %n step %one {
    %scale = ocl.load %g[%c] : !ocl.ptr<f32, global>
    %product = arith.mulf %sum, %scale : f32
    %plane = arith.muli %c, %n : index
    %start = arith.addi %row, %plane : index
    scf.for %j = %zero to %n step %one {
      %at = arith.addi %start, %j : index
      ocl.store %product, %y[%at] : !ocl.ptr<f32, global>
    }
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @planes
// CHECK:         %sum = scf.for
// CHECK:         ocl.barrier
// CHECK-NEXT:    scf.for %c

// A loop that stores something of its own beside its rows stays.
ocl.kernel @more(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %g: !ocl.ptr<f32, global> {ocl.name = "g"}, %y: !ocl.ptr<f32, global> {ocl.name = "y"}, %m: i64 {ocl.name = "m"}) attributes {reqd_work_group_size = array<i64: 64, 1, 1>} {
  %n = arith.index_cast %m : i64 to index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f32
  %i = ocl.global_id 0 : index
  %square = arith.muli %n, %n : index
  %row = arith.muli %i, %square : index
  %sum = scf.for %j = %zero to %square step %one iter_args(%s = %none) -> (f32) {
    %at = arith.addi %row, %j : index
    %e = ocl.load %x[%at] : !ocl.ptr<f32, global>
    %t = arith.addf %s, %e : f32
    scf.yield %t : f32
  }
  scf.for %c = %zero to %n step %one {
    ocl.store %sum, %g[%c] : !ocl.ptr<f32, global>
    %plane = arith.muli %c, %n : index
    %start = arith.addi %row, %plane : index
    scf.for %j = %zero to %n step %one {
      %at = arith.addi %start, %j : index
      ocl.store %sum, %y[%at] : !ocl.ptr<f32, global>
    }
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @more
// CHECK-NOT:     ocl.barrier
// CHECK:         ocl.return
