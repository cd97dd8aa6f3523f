// RUN: ocl-opt %s -p wg-carry-loads --split-input-file | filecheck %s

// Two rows of a filter: what the second one reads and converts, the first one needs in the next iteration.
// CHECK-LABEL: wg.func @filter(
// CHECK:         %[[RUNS:.*]] = arith.cmpi slt, %first, %last : index
// CHECK-NEXT:    %[[FIRST:.*]] = scf.if %[[RUNS]] -> (vector<16xf32>) {
// CHECK-NEXT:      %[[PLACE:.*]] = arith.muli %first, %w : index
// CHECK-NEXT:      %[[READ:.*]] = wg.load %in[%[[PLACE]]]
// CHECK-NEXT:      %[[CONVERTED:.*]] = vec.sitofp %[[READ]]
// CHECK-NEXT:      scf.yield %[[CONVERTED]]
// CHECK-NEXT:    } else {
// CHECK:         scf.for %k = %first to %last step %c1 iter_args(%s0_1 = %zeros, %s1_1 = %zeros, %[[F0:.*]] = %[[FIRST]])
// CHECK-NEXT:      %k1 = arith.addi %k, %c1
// CHECK-NEXT:      %i1 = arith.muli %k1, %w
// CHECK-NEXT:      %v1 = wg.load %in[%i1]
// CHECK-NEXT:      %[[F1:.*]] = vec.sitofp %v1
// CHECK-NEXT:      %t0 = arith.addf %s0_1, %[[F0]]
// CHECK-NEXT:      %t1 = arith.addf %s1_1, %[[F1]]
// CHECK-NEXT:      scf.yield %t0, %t1, %[[F1]]
wg.func @filter(%in: !ocl.ptr<i32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 16, 2, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %w = arith.index_cast %n : i32 to index
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  wg.parallel (%x, %y, %z) in (%c16, %c2, %c1) step (16, 2, 1) {
    %first = arith.addi %y, %c1 : index
    %last = arith.addi %w, %y : index
    %s0, %s1 = scf.for %k = %first to %last step %c1 iter_args(%s0_1 = %zeros, %s1_1 = %zeros) -> (vector<16xf32>, vector<16xf32>) {
      %i0 = arith.muli %k, %w : index
      %v0 = wg.load %in[%i0] : !ocl.ptr<i32, global> -> vector<16xi32>
      %f0 = vec.sitofp %v0 : vector<16xi32> to vector<16xf32>
      %k1 = arith.addi %k, %c1 : index
      %i1 = arith.muli %k1, %w : index
      %v1 = wg.load %in[%i1] : !ocl.ptr<i32, global> -> vector<16xi32>
      %f1 = vec.sitofp %v1 : vector<16xi32> to vector<16xf32>
      %t0 = arith.addf %s0_1, %f0 : vector<16xf32>
      %t1 = arith.addf %s1_1, %f1 : vector<16xf32>
      scf.yield %t0, %t1 : vector<16xf32>, vector<16xf32>
    }
    wg.store %s0, %out[%x] : vector<16xf32>, !ocl.ptr<f32, global>
    wg.store %s1, %out[%x] : vector<16xf32>, !ocl.ptr<f32, global>
  }
  wg.return
}

// -----

// The loop writes, maybe what it reads later.
// CHECK-LABEL: wg.func @writes(
// CHECK:         scf.for %k = %c0 to %w step %c1 {
// CHECK:           wg.load
// CHECK:           wg.load
wg.func @writes(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 16, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %w = arith.index_cast %n : i32 to index
  wg.parallel (%x, %y, %z) in (%c16, %c1, %c1) step (16, 1, 1) {
    scf.for %k = %c0 to %w step %c1 {
      %v0 = wg.load %in[%k] : !ocl.ptr<f32, global> -> vector<16xf32>
      %k1 = arith.addi %k, %c1 : index
      %v1 = wg.load %in[%k1] : !ocl.ptr<f32, global> -> vector<16xf32>
      %s = arith.addf %v0, %v1 : vector<16xf32>
      wg.store %s, %out[%k] : vector<16xf32>, !ocl.ptr<f32, global>
    }
  }
  wg.return
}
