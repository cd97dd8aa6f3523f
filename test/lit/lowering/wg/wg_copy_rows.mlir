// RUN: ocl-opt %s -p wg-copy-rows | filecheck %s

// A window of %n rows and %n columns, column by column: where rows are a multiple of 4096 bytes apart, they are copied to
// rows of 48 elements (16 lanes, and 33 columns at most).
// CHECK-LABEL: wg.func @filter(
// CHECK:         %[[MEMORY:.*]] = ocl.alloca : !ocl.ptr<!ocl.array<1920 x f32>, private>
// CHECK-NEXT:    %[[COPY:.*]] = ocl.cast %[[MEMORY]]
// CHECK:         scf.if %{{.*}} -> (vector<16xf32>) {
// CHECK:           scf.for %[[R:.*]] = %
// CHECK:             %[[AT:.*]] = arith.muli %[[R]], %{{.*}} : index
// CHECK:             scf.for
// CHECK:               wg.load %in[
// CHECK:               wg.store %{{.*}}, %[[COPY]][
// CHECK:             wg.load %in[
// CHECK:             wg.store %{{.*}}, %[[COPY]][
// CHECK:           scf.for %[[I:.*]] = %c0 to %n step %c1
// CHECK:             scf.for %[[J:.*]] = %c0 to %n step %c1
// CHECK:               wg.load %[[COPY]][
// CHECK-NOT:           wg.load %in[
// CHECK:         } else {
// CHECK:           scf.for %{{.*}} = %c0 to %n step %c1
// CHECK:             scf.for %{{.*}} = %c0 to %n step %c1
// CHECK:               wg.load %in[
wg.func @filter(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %width: i32 {ocl.name = "width"}, %count: i32 {ocl.name = "count"}) attributes {local_size = array<i64: 16, 2, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %w = arith.index_cast %width : i32 to index
  %n = arith.index_cast %count : i32 to index
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  wg.parallel (%x, %y, %z) in (%c16, %c2, %c1) step (16, 1, 1) {
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%s_1 = %zeros) -> (vector<16xf32>) {
      %column = arith.addi %x, %i : index
      %t = scf.for %j = %c0 to %n step %c1 iter_args(%t_1 = %s_1) -> (vector<16xf32>) {
        %row = arith.addi %y, %j : index
        %first = arith.muli %row, %w : index
        %place = arith.addi %first, %column : index
        %v = wg.load %in[%place] : !ocl.ptr<f32, global> -> vector<16xf32>
        %t_2 = arith.addf %t_1, %v : vector<16xf32>
        scf.yield %t_2 : vector<16xf32>
      }
      scf.yield %t : vector<16xf32>
    }
    wg.store %s, %out[%x] : vector<16xf32>, !ocl.ptr<f32, global>
  }
  wg.return
}

// Along the rows in the inner loop: a row is in the cache while it is read.
// CHECK-LABEL: wg.func @rows(
// CHECK-NOT:     ocl.alloca
// CHECK:         wg.return
wg.func @rows(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %width: i32 {ocl.name = "width"}, %count: i32 {ocl.name = "count"}) attributes {local_size = array<i64: 16, 2, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %w = arith.index_cast %width : i32 to index
  %n = arith.index_cast %count : i32 to index
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  wg.parallel (%x, %y, %z) in (%c16, %c2, %c1) step (16, 1, 1) {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%s_1 = %zeros) -> (vector<16xf32>) {
      %row = arith.addi %y, %j : index
      %first = arith.muli %row, %w : index
      %t = scf.for %i = %c0 to %n step %c1 iter_args(%t_1 = %s_1) -> (vector<16xf32>) {
        %column = arith.addi %x, %i : index
        %place = arith.addi %first, %column : index
        %v = wg.load %in[%place] : !ocl.ptr<f32, global> -> vector<16xf32>
        %t_2 = arith.addf %t_1, %v : vector<16xf32>
        scf.yield %t_2 : vector<16xf32>
      }
      scf.yield %t : vector<16xf32>
    }
    wg.store %s, %out[%x] : vector<16xf32>, !ocl.ptr<f32, global>
  }
  wg.return
}
