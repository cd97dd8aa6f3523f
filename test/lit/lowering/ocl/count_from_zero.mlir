// RUN: ocl-opt %s -p count-from-zero | filecheck %s
// RUN: ocl-opt %s -p count-from-zero --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// `for (k = row * n; k < (row + 1) * n; k++)`: all rows are of n elements.
// REMARK: count_from_zero.mlir:[[# @LINE + 13]]:3: remark: the length is the same for all work-items [count-from-zero]
ocl.kernel @row(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %id = ocl.global_id 0 : index
  %row = arith.index_cast %id : index to i32
  %start = arith.muli %row, %n : i32
  %next = arith.addi %row, %one : i32
  %stop = arith.muli %next, %n : i32
  %first = arith.index_cast %start : i32 to index
  %end = arith.index_cast %stop : i32 to index

  %s = scf.for %k = %first to %end step %c1 iter_args(%p = %zero) -> (f32) {
    %v = ocl.load %in[%k] : !ocl.ptr<f32, global>
    %q = arith.addf %p, %v : f32
    scf.yield %q : f32
  }
  ocl.store %s, %out[%id] : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @row(
// CHECK:         %[[N:.*]] = arith.index_cast %n : i32 to index
// CHECK:         scf.for %k = %{{.*}} to %[[N]] step %c1
// CHECK-NEXT:      %[[PLACE:.*]] = arith.addi %first, %{{.*}} : index
// CHECK-NEXT:      ocl.load %in[%[[PLACE]]]

// Whole steps of a group of 4 x 2 work-items, with a barrier in each: all of them have the same ones.
// REMARK: count_from_zero.mlir:[[# @LINE + 9]]:3: remark: the length is the same for all work-items [count-from-zero]
ocl.kernel @steps(%in: !ocl.ptr<f32, local> {ocl.name = "in"}) attributes {reqd_work_group_size = array<i64: 4, 2, 1>} {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %x = ocl.local_id 0 : index
  %y = ocl.local_id 1 : index
  %row = arith.muli %y, %c4 : index
  %first = arith.addi %x, %row : index
  scf.for %k = %first to %c64 step %c8 {
    ocl.barrier local
    %v = ocl.load %in[%k] : !ocl.ptr<f32, local>
    ocl.store %v, %in[%x] : !ocl.ptr<f32, local>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @steps(
// CHECK:         arith.constant 64 : index
// CHECK:         scf.for %k = %{{.*}} to %{{.*}} step %c8
// CHECK-NEXT:      %[[PLACE:.*]] = arith.addi %first, %{{.*}} : index
// CHECK:           ocl.load %in[%[[PLACE]]]

// Rows of other lengths, as the rows of a sparse matrix.
ocl.kernel @rows(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %ends: !ocl.ptr<i32, global> {ocl.name = "ends"}) {
  %c1 = arith.constant 1 : index
  %id = ocl.global_id 0 : index
  %next = arith.addi %id, %c1 : index
  %start = ocl.load %ends[%id] : !ocl.ptr<i32, global>
  %stop = ocl.load %ends[%next] : !ocl.ptr<i32, global>
  %first = arith.index_cast %start : i32 to index
  %end = arith.index_cast %stop : i32 to index
  scf.for %k = %first to %end step %c1 {
    %v = ocl.load %in[%k] : !ocl.ptr<f32, global>
    %q = arith.addf %v, %v : f32
    ocl.store %q, %in[%k] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @rows(
// CHECK:         scf.for %k = %first to %end step %c1

// Unsigned sums may wrap: the end of the last row is 0 then. Where no sum of the launch does, which
// all work-items ask alike, the loop counts from 0.
// REMARK: remark: the length is the same if no row is cut [count-from-zero]
ocl.kernel @unsigned(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %n: i32 {ocl.name = "n"}) {
  %c1 = arith.constant 1 : index
  %id = ocl.global_id 0 : index
  %row = arith.index_cast %id : index to i32
  %start = arith.muli %row, %n : i32
  %stop = arith.addi %start, %n : i32
  %wide = arith.extui %start : i32 to i64
  %wide_end = arith.extui %stop : i32 to i64
  %first = arith.index_cast %wide : i64 to index
  %end = arith.index_cast %wide_end : i64 to index
  scf.for %k = %first to %end step %c1 {
    %v = ocl.load %in[%k] : !ocl.ptr<f32, global>
    %q = arith.addf %v, %v : f32
    ocl.store %q, %in[%k] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @unsigned(
// CHECK:         %[[SIZE:.*]] = ocl.global_size 0 : index
// CHECK:         %[[IN_RANGE:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : index
// CHECK-NEXT:    scf.if %[[IN_RANGE]] {
// CHECK:           scf.for %k = %{{.*}} to %{{.*}} step %c1 {
// CHECK-NEXT:        %[[PLACE:.*]] = arith.addi %first, %k
// CHECK-NEXT:        ocl.load %in[%[[PLACE]]]
// CHECK:         } else {
// CHECK-NEXT:      scf.for %{{.*}} = %first to %end step %c1 {

// The last step has places for some work-items only; and steps in which some have two places.
ocl.kernel @parts(%in: !ocl.ptr<i64, local> {ocl.name = "in"}) attributes {reqd_work_group_size = array<i64: 8, 1, 1>} {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c62 = arith.constant 62 : index
  %c64 = arith.constant 64 : index
  %x = ocl.local_id 0 : index
  scf.for %k = %x to %c62 step %c8 {
    ocl.barrier local
    %v = arith.index_cast %k : index to i64
    ocl.store %v, %in[%x] : !ocl.ptr<i64, local>
  }
  scf.for %k = %x to %c64 step %c4 {
    ocl.barrier local
    %v = arith.index_cast %k : index to i64
    ocl.store %v, %in[%x] : !ocl.ptr<i64, local>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @parts(
// CHECK:         scf.for %k = %x to %c62 step %c8
// CHECK:         scf.for %k_1 = %x to %c64 step %c4

// Rows of n elements, of which the last ones are cut at the end of the array: those of most groups are whole.
ocl.kernel @cut(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %n: i32 {ocl.name = "n"}, %total: i32 {ocl.name = "total"}) {
  %c1 = arith.constant 1 : index
  %id = ocl.global_id 0 : index
  %row = arith.index_cast %id : index to i32
  %start = arith.muli %row, %n : i32
  %stop = arith.addi %start, %n : i32
  %last = arith.minsi %stop, %total : i32
  %first = arith.index_cast %start : i32 to index
  %end = arith.index_cast %last : i32 to index
  scf.for %k = %first to %end step %c1 {
    %v = ocl.load %in[%k] : !ocl.ptr<f32, global>
    %q = arith.addf %v, %v : f32
    ocl.store %q, %in[%k] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @cut(
// CHECK:         %[[GROUP:.*]] = ocl.group_id 0 : index
// CHECK:         %[[WIDE:.*]] = arith.extui %total : i32 to i64
// CHECK:         %[[LIMIT:.*]] = arith.index_cast %[[WIDE]] : i64 to index
// CHECK:         arith.cmpi ult, %[[LIMIT]]
// CHECK:         arith.cmpi ule, %{{.*}}, %[[LIMIT]] : index
// CHECK:         scf.if
// CHECK:           scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1 {
// CHECK:         } else {
// CHECK-NEXT:      scf.for %{{.*}} = %first to %end step %c1 {
