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

// Rows of other lengths, as the rows of a sparse matrix.
// REMARK-NOT: remark
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

// Unsigned sums may wrap: the end of the last row is 0 then.
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
// CHECK:         scf.for %k = %first to %end step %c1
