// RUN: ocl-opt %s -p wg-scan-rows{distinct=true} --split-input-file | filecheck %s
// RUN: ocl-opt %s -p wg-scan-rows --split-input-file | filecheck %s --check-prefix=SHARED

// Running sums of 64-bit integers, 8 at once: three steps within a vector, then what is carried. The loop does the rest.
// CHECK-LABEL: wg.func @sums(
// CHECK:         %[[REST:.*]] = arith.andi
// CHECK-NEXT:    %[[END:.*]] = arith.subi {{.*}}, %[[REST]] : index
// CHECK:         %[[SUMS:.*]] = scf.for %[[I:.*]] = %c0 to %[[END]] step {{.*}} iter_args(%[[CARRIED:.*]] = {{.*}}) -> (vector<8xi64>) {
// CHECK:           %[[ROW:.*]] = ocl.vload
// CHECK:           %[[ZEROS:.*]] = arith.constant dense<0> : vector<8xi64>
// CHECK-NEXT:      %[[MOVED1:.*]] = vector.shuffle %[[ROW]], %[[ZEROS]] [15, 0, 1, 2, 3, 4, 5, 6]
// CHECK-NEXT:      %[[SUM1:.*]] = arith.addi %[[MOVED1]], %[[ROW]]
// CHECK-NEXT:      %[[MOVED2:.*]] = vector.shuffle %[[SUM1]], %[[ZEROS]] [14, 15, 0, 1, 2, 3, 4, 5]
// CHECK-NEXT:      %[[SUM2:.*]] = arith.addi %[[MOVED2]], %[[SUM1]]
// CHECK-NEXT:      %[[MOVED4:.*]] = vector.shuffle %[[SUM2]], %[[ZEROS]] [12, 13, 14, 15, 0, 1, 2, 3]
// CHECK-NEXT:      %[[SUM4:.*]] = arith.addi %[[MOVED4]], %[[SUM2]]
// CHECK-NEXT:      %[[LAST:.*]] = vector.shuffle %[[SUM4]], %[[SUM4]] [7, 7, 7, 7, 7, 7, 7, 7]
// CHECK-NEXT:      %[[ALL:.*]] = arith.addi %[[CARRIED]], %[[SUM4]]
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addi %[[CARRIED]], %[[LAST]]
// CHECK:           ocl.vstore %[[ALL]]
// CHECK-NEXT:      scf.yield %[[NEXT]]
// CHECK:         %[[FIRST:.*]] = vector.extract %[[SUMS]][0]
// CHECK:         scf.for %i = %[[END]] to %n step %c1 iter_args(%s = %[[FIRST]]) -> (i64) {

// Both may be one array, one of them moved.
// SHARED-LABEL: wg.func @sums(
// SHARED-NOT:     vector
wg.func @sums(%x: !ocl.ptr<i64, global> {ocl.name = "x"}, %out: !ocl.ptr<i64, global> {ocl.name = "out"}, %size: i64 {ocl.name = "size"}) attributes {local_size = array<i64: 1, 1, 1>} {
  %n = arith.index_cast %size : i64 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  wg.parallel (%0, %1, %2) in (%c1, %c1, %c1) {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i64) {
      %e = ocl.load %x[%i] : !ocl.ptr<i64, global>
      %t = arith.addi %s, %e : i64
      ocl.store %t, %out[%i] : !ocl.ptr<i64, global>
      scf.yield %t : i64
    }
  }
  wg.return
}

// -----

// The largest so far before each element, in place. Floats are compared as integers, NaN as the largest.
// CHECK-LABEL: wg.func @before(
// CHECK:         scf.for {{.*}} -> (vector<16xi32>) {
// CHECK:           %[[ROW:.*]] = ocl.vload
// CHECK:           vec.cmpf uno, %[[ROW]], %[[ROW]]
// CHECK-COUNT-5:   arith.maxsi
// CHECK:           %[[KEYS:.*]] = vector.shuffle {{.*}} [31, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
// CHECK:           arith.bitcast {{.*}} : vector<16xi32> to vector<16xf32>
// CHECK:           ocl.vstore

// In place, no array but this one matters.
// SHARED-LABEL: wg.func @before(
// SHARED:         ocl.vstore
wg.func @before(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %size: i64 {ocl.name = "size"}) attributes {local_size = array<i64: 1, 1, 1>} {
  %n = arith.index_cast %size : i64 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  wg.parallel (%0, %1, %2) in (%c1, %c1, %c1) {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %zero) -> (f32) {
      %e = ocl.load %x[%i] : !ocl.ptr<f32, global>
      ocl.store %m, %x[%i] : !ocl.ptr<f32, global>
      %t = arith.maximumf %m, %e : f32
      scf.yield %t : f32
    }
  }
  wg.return
}

// -----

// A sum of floats depends on the order, unless `reassoc` allows any.
// CHECK-LABEL: wg.func @rounded(
// CHECK:         %r, %q = scf.for {{.*}} -> (f32, f32) {
// CHECK-NOT:     vector
wg.func @rounded(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %size: i64 {ocl.name = "size"}) attributes {local_size = array<i64: 1, 1, 1>} {
  %n = arith.index_cast %size : i64 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  wg.parallel (%0, %1, %2) in (%c1, %c1, %c1) {
    %r, %q = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %p = %zero) -> (f32, f32) {
      %e = ocl.load %x[%i] : !ocl.ptr<f32, global>
      %t = arith.addf %s, %e fastmath<reassoc> : f32
      %u = arith.addf %p, %t : f32
      ocl.store %u, %x[%i] : !ocl.ptr<f32, global>
      scf.yield %t, %u : f32, f32
    }
  }
  wg.return
}
