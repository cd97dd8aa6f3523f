// RUN: ocl-opt %s -p nest-loops | filecheck %s
// RUN: ocl-opt %s -p nest-loops --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// The counter is a row, a column, and the number of the element.
// REMARK: nest_loops.mlir:[[# @LINE + 8]]:3: remark: 2 loops, by the divisions of its counter [nest-loops]
ocl.kernel @window(%x: !ocl.ptr<i32, global> {ocl.name = "x"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32

  scf.for %k = %c0 to %c9 step %c1 {
    %n = arith.index_cast %k : index to i32
    %j = arith.divsi %n, %c3 : i32
    %i = arith.remsi %n, %c3 : i32
    %row = arith.muli %j, %c4 : i32
    %at = arith.addi %row, %i : i32
    %place = arith.index_cast %at : i32 to index
    ocl.store %n, %x[%place] : !ocl.ptr<i32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @window
// CHECK:         scf.for %[[Q:.*]] = %{{.*}} to %[[ROWS:.*]] step %{{.*}} {
// CHECK-NEXT:      %[[J:.*]] = arith.index_cast %[[Q]] : index to i32
// CHECK-NEXT:      scf.for %[[R:.*]] = %{{.*}} to %[[COLUMNS:.*]] step %{{.*}} {
// CHECK-NEXT:        %[[FIRST:.*]] = arith.muli %[[Q]], %[[COLUMNS]] : index
// CHECK-NEXT:        %[[K:.*]] = arith.addi %[[FIRST]], %[[R]] : index
// CHECK-NEXT:        %[[I:.*]] = arith.index_cast %[[R]] : index to i32
// CHECK-NEXT:        %[[N:.*]] = arith.index_cast %[[K]] : index to i32
// CHECK-NEXT:        %[[ROW:.*]] = arith.muli %[[J]], %c4 : i32
// CHECK-NEXT:        arith.addi %[[ROW]], %[[I]] : i32

// Eleven elements are not rows of three; in the other loop nothing reads the row.
ocl.kernel @kept(%x: !ocl.ptr<i32, global> {ocl.name = "x"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %c11 = arith.constant 11 : index
  %v = arith.constant 1 : i32
  scf.for %k = %c0 to %c11 step %c1 {
    %j = arith.divui %k, %c3 : index
    %i = arith.remui %k, %c3 : index
    ocl.store %v, %x[%j] : !ocl.ptr<i32, global>
    ocl.store %v, %x[%i] : !ocl.ptr<i32, global>
  }
  scf.for %k = %c0 to %c9 step %c1 {
    %i = arith.remui %k, %c3 : index
    ocl.store %v, %x[%i] : !ocl.ptr<i32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @kept
// CHECK:         scf.for
// CHECK:           arith.divui
// CHECK:           arith.remui
// CHECK:         scf.for
// CHECK-NEXT:      arith.remui
