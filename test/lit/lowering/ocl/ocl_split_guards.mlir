// RUN: ocl-opt %s -p ocl-split-guards | filecheck %s
// RUN: ocl-opt %s -p ocl-split-guards --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Two guards around a barrier are one. A group of 4 x 2 has a copy without it where the work-items
// at its corners pass: the first and the last along each dimension. Unsigned numbers must not be
// negative.

// REMARK: ocl_split_guards.mlir:[[# @LINE + 13]]:5: remark: split: without the guard where all work-items pass [ocl-split-guards]

ocl.kernel @tile(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %m: i32 {ocl.name = "m"}, %n: i32 {ocl.name = "n"}, %t: !ocl.ptr<f32, local> {ocl.name = "t"})
    attributes {reqd_work_group_size = array<i64: 4, 2, 1>} {
  %c1 = arith.constant 1 : i32
  %i = ocl.global_id 0 : index
  %j = ocl.global_id 1 : index
  %column = arith.index_cast %i : index to i32
  %row = arith.index_cast %j : index to i32
  %inside = arith.cmpi slt, %row, %m : i32
  scf.if %inside {
    %before = arith.subi %column, %c1 : i32
    %interior = arith.cmpi ult, %before, %n : i32
    scf.if %interior {
      %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
      ocl.store %v, %t[%i] : !ocl.ptr<f32, local>
      ocl.barrier local
    }
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @tile
// CHECK:         %inside = arith.cmpi slt, %row, %m : i32
// CHECK:         %interior = arith.cmpi ult, %before, %n : i32
// CHECK-NEXT:    %[[BOTH:.*]] = arith.andi %inside, %interior : i1
// CHECK:         %[[M:.*]] = arith.index_cast %m : i32 to index
// CHECK-NEXT:    arith.cmpi slt, %{{.*}}, %[[M]] : index
// CHECK:         arith.cmpi slt, %{{.*}} : index
// CHECK:         %[[BEFORE:.*]] = arith.subi
// CHECK-NEXT:    arith.cmpi sge, %[[BEFORE]], %{{.*}} : index
// CHECK-NEXT:    %[[WIDE:.*]] = arith.extui %n : i32 to i64
// CHECK-NEXT:    %[[N:.*]] = arith.index_cast %[[WIDE]] : i64 to index
// CHECK-NEXT:    arith.cmpi ult, %[[BEFORE]], %[[N]] : index
// CHECK:         %all = arith.andi
// CHECK-NEXT:    scf.if %all {
// CHECK-NEXT:      ocl.load
// CHECK-NEXT:      ocl.store
// CHECK-NEXT:      ocl.barrier local
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.if %[[BOTH]] {
// CHECK-NEXT:        ocl.load
// CHECK-NEXT:        ocl.store
// CHECK-NEXT:        ocl.barrier local

// A value of each work-item stays with its flag.

// REMARK: ocl_split_guards.mlir:[[# @LINE + 7]]:3: remark: guard kept: it is more than sums and products of ids and of values of the group [ocl-split-guards]

ocl.kernel @values(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"})
    attributes {reqd_work_group_size = array<i64: 4, 1, 1>} {
  %i = ocl.global_id 0 : index
  %v = ocl.load %x[%i] : !ocl.ptr<i32, global>
  %less = arith.cmpi slt, %v, %n : i32
  scf.if %less {
    ocl.barrier local
    ocl.store %n, %x[%i] : !ocl.ptr<i32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @values
// CHECK:         %less = arith.cmpi slt, %v, %n : i32
// CHECK-NEXT:    scf.if %less {

// Steps of the group with a barrier in each, whose last one may have places for some only: it is
// left to the loop as it was, which begins where the others end, with what they carry.

// REMARK: ocl_split_guards.mlir:[[# @LINE + 9]]:3: remark: split: steps in which all work-items have a place are counted alike [ocl-split-guards]

ocl.kernel @steps(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %t: !ocl.ptr<i32, local> {ocl.name = "t"}, %n: i32 {ocl.name = "n"})
    attributes {reqd_work_group_size = array<i64: 16, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : index
  %l = ocl.local_id 0 : index
  %end = arith.index_cast %n : i32 to index

  %s = scf.for %k = %l to %end step %c16 iter_args(%sum = %c0) -> (i32) {
    %v = ocl.load %x[%k] : !ocl.ptr<i32, global>
    ocl.store %v, %t[%l] : !ocl.ptr<i32, local>
    ocl.barrier local
    %next = arith.addi %sum, %v : i32
    scf.yield %next : i32
  }
  ocl.store %s, %x[%l] : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @steps
// CHECK:         %[[LENGTH:.*]] = arith.maxsi
// CHECK-NEXT:    %[[STEPS:.*]] = arith.divui %[[LENGTH]], %{{.*}} : index
// CHECK-NEXT:    %[[WHOLE:.*]] = arith.muli %[[STEPS]], %{{.*}} : index
// CHECK:         %[[ALL:.*]] = arith.select %[[FIT:.*]], %[[WHOLE]], %{{.*}} : index
// CHECK-NEXT:    %[[LEFT:.*]] = arith.cmpi ne, %[[ALL]], %[[LENGTH]] : index
// CHECK:         %[[WRAPS:.*]] = arith.xori %[[FIT]], %{{.*}} : i1
// CHECK-NEXT:    %[[REST:.*]] = arith.ori %[[LEFT]], %[[WRAPS]] : i1
// CHECK:         %[[TOGETHER:.*]] = scf.for %{{.*}} = %{{.*}} to %[[ALL]] step %c16 iter_args(%{{.*}} = %c0)
// CHECK:           ocl.barrier local
// CHECK:         scf.if %[[REST]] -> (i32) {
// CHECK-NEXT:      %[[FIRST:.*]] = arith.addi %l, %[[ALL]] : index
// CHECK-NEXT:      scf.for %{{.*}} = %[[FIRST]] to %end step %c16 iter_args(%{{.*}} = %[[TOGETHER]])
// CHECK:             ocl.barrier local
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %[[TOGETHER]] : i32

// Where each work-item begins is data.

// REMARK: ocl_split_guards.mlir:[[# @LINE + 9]]:3: remark: loop kept: it is more than sums and products of ids and of values of the group [ocl-split-guards]

ocl.kernel @data(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"})
    attributes {reqd_work_group_size = array<i64: 16, 1, 1>} {
  %c16 = arith.constant 16 : index
  %l = ocl.local_id 0 : index
  %v = ocl.load %x[%l] : !ocl.ptr<i32, global>
  %first = arith.index_cast %v : i32 to index
  %end = arith.index_cast %n : i32 to index
  scf.for %k = %first to %end step %c16 {
    ocl.barrier global
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @data
// CHECK:         scf.for %k = %first to %end step %c16
