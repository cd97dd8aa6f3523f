// RUN: ocl-opt %s -p "wg-keep-rows{distinct=true small_buffers=true}" | filecheck %s
// RUN: ocl-opt %s -p "wg-keep-rows{distinct=true small_buffers=true}" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Each work-item compares its row of %x with all rows of %c. Its row is read once, into memory in
// which the elements of neighbours lie side by side, where it is short and read often enough.
wg.func @nearest(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %c: !ocl.ptr<f32, global> {ocl.name = "c"}, %y: !ocl.ptr<f32, global> {ocl.name = "y"}, %n64: i64 {ocl.name = "n"}, %d64: i64 {ocl.name = "d"}) attributes {reqd_work_group_size = array<i64: 64, 1, 1>} {
  %n = arith.index_cast %n64 : i64 to index
  %d = arith.index_cast %d64 : i64 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  wg.parallel (%i, %j, %k) in (%c64, %c1, %c1) {
    %row = arith.muli %i, %d : index
    %best = scf.for %other = %c0 to %n step %c1 iter_args(%b = %zero) -> (f32) {
      %start = arith.muli %other, %d : index
      %sum = scf.for %e = %c0 to %d step %c1 iter_args(%s = %zero) -> (f32) {
        %at = arith.addi %row, %e : index
        // REMARK: wg_keep_rows.mlir:[[# @LINE + 1]]:{{[0-9]+}}: remark: a row that is read again is kept in private memory [wg-keep-rows]
        %v = ocl.load %x[%at] : !ocl.ptr<f32, global>
        %there = arith.addi %start, %e : index
        %w = ocl.load %c[%there] : !ocl.ptr<f32, global>
        %p = arith.mulf %v, %w : f32
        %t = arith.addf %s, %p : f32
        scf.yield %t : f32
      }
      %m = arith.maxnumf %b, %sum : f32
      scf.yield %m : f32
    }
    ocl.store %best, %y[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @nearest
// CHECK:         %[[SHORT:.*]] = arith.cmpi sle, %d, %{{.*}} : index
// CHECK:         %[[OFTEN:.*]] = arith.cmpi sge, %n, %{{.*}} : index
// CHECK:         %[[BOTH:.*]] = arith.andi %[[SHORT]], %[[OFTEN]] : i1
// CHECK:         scf.if %[[BOTH]] {
// CHECK-NEXT:      wg.parallel
// CHECK:             %[[ARRAY:.*]] = ocl.alloca : !ocl.ptr<!ocl.array<64 x f32>, private>
// CHECK:             scf.for %[[E:.*]] = %c0 to %d step %c1 {
// CHECK:               %[[V:.*]] = ocl.load %x[
// CHECK-NEXT:          ocl.store %[[V]], %copy[%[[E]]]
// CHECK-NEXT:        }
// CHECK:             scf.for %other
// CHECK:               scf.for %[[F:.*]] = %c0 to %d
// CHECK-NOT:             ocl.load %x[
// CHECK:                 ocl.load %copy[%[[F]]]
// CHECK:         } else {
// CHECK-NEXT:      wg.parallel
// CHECK-NOT:         ocl.alloca

// The loop writes to the row that it reads: all stays as it is.
wg.func @changed(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %c: !ocl.ptr<f32, global> {ocl.name = "c"}, %n64: i64 {ocl.name = "n"}, %d64: i64 {ocl.name = "d"}) attributes {reqd_work_group_size = array<i64: 64, 1, 1>} {
  %n = arith.index_cast %n64 : i64 to index
  %d = arith.index_cast %d64 : i64 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  wg.parallel (%i, %j, %k) in (%c64, %c1, %c1) {
    %row = arith.muli %i, %d : index
    scf.for %other = %c0 to %n step %c1 {
      %sum = scf.for %e = %c0 to %d step %c1 iter_args(%s = %zero) -> (f32) {
        %at = arith.addi %row, %e : index
        %v = ocl.load %x[%at] : !ocl.ptr<f32, global>
        %w = ocl.load %c[%e] : !ocl.ptr<f32, global>
        %p = arith.mulf %v, %w : f32
        %t = arith.addf %s, %p : f32
        scf.yield %t : f32
      }
      ocl.store %sum, %x[%row] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @changed
// CHECK-NOT:     ocl.alloca
// CHECK:         wg.return

// The numbers of elements are sums of 32 bits, which may wrap: each iteration reads another element all the same.
wg.func @unsigned(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %c: !ocl.ptr<f32, global> {ocl.name = "c"}, %y: !ocl.ptr<f32, global> {ocl.name = "y"}, %n64: i64 {ocl.name = "n"}, %d: i32 {ocl.name = "d"}) attributes {reqd_work_group_size = array<i64: 64, 1, 1>} {
  %n = arith.index_cast %n64 : i64 to index
  %columns = arith.index_cast %d : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  wg.parallel (%i, %j, %k) in (%c64, %c1, %c1) {
    %id = arith.index_cast %i : index to i32
    %row = arith.muli %id, %d : i32
    %best = scf.for %other = %c0 to %n step %c1 iter_args(%b = %zero) -> (f32) {
      %start = arith.muli %other, %columns : index
      %sum = scf.for %e = %c0 to %columns step %c1 iter_args(%s = %zero) -> (f32) {
        %e32 = arith.index_cast %e : index to i32
        %at32 = arith.addi %row, %e32 : i32
        %at64 = arith.extui %at32 : i32 to i64
        %at = arith.index_cast %at64 : i64 to index
        %v = ocl.load %x[%at] : !ocl.ptr<f32, global>
        %there = arith.addi %start, %e : index
        %w = ocl.load %c[%there] : !ocl.ptr<f32, global>
        %p = arith.mulf %v, %w : f32
        %t = arith.addf %s, %p : f32
        scf.yield %t : f32
      }
      %m = arith.maxnumf %b, %sum : f32
      scf.yield %m : f32
    }
    ocl.store %best, %y[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @unsigned
// CHECK:         scf.if
// CHECK:             scf.for
// CHECK:               %[[V:.*]] = ocl.load %x[
// CHECK-NEXT:          ocl.store %[[V]], %copy[
// CHECK:             scf.for %other
// CHECK-NOT:             ocl.load %x[
// CHECK:                 ocl.load %copy[
// CHECK:         } else {
