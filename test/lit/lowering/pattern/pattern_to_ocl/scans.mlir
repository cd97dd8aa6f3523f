// RUN: ocl-opt %s -p pattern-to-ocl --split-input-file | filecheck %s

// A scan is the loop of a reduction that stores each value.

func.func @scan(%x: !pattern.array<1024, f32>) -> !pattern.array<1024, f32> {
  %zero = arith.constant 0.0 : f32
  %r = pattern.scan %x init %zero as %p: f32, %q: f32 exclusive {
    %s = arith.addf %p, %q : f32
    pattern.yield %s : f32
  } : !pattern.array<1024, f32>
  func.return %r : !pattern.array<1024, f32>
}

// CHECK-LABEL: ocl.kernel @scan_0
// CHECK:         %{{.*}} = scf.for %[[i:.*]] = {{.*}} iter_args(%[[sum:.*]] = %zero) -> (f32) {
// CHECK-NEXT:      %[[e:.*]] = ocl.load %x[%[[i]]] : !ocl.ptr<f32, global>
// CHECK-NEXT:      %[[s:.*]] = arith.addf %[[sum]], %[[e]] : f32
// CHECK-NEXT:      ocl.store %[[sum]], %out[%[[i]]] : !ocl.ptr<f32, global>
// CHECK-NEXT:      scf.yield %[[s]] : f32

// -----

// One work-item combines the elements of a scatter, after it has copied the initial array.

func.func @scatter(%x: !pattern.array<64, i32>, %ids: !pattern.array<64, i32>, %start: !pattern.array<20, i32>) -> !pattern.array<20, i32> {
  %r = pattern.scatter %x to %ids init %start as %old: i32, %new: i32 {
    %s = arith.addi %old, %new : i32
    pattern.yield %s : i32
  } : !pattern.array<20, i32>
  func.return %r : !pattern.array<20, i32>
}

// CHECK-LABEL: ocl.kernel @scatter_0
// CHECK:         scf.for %[[j:.*]] = {{.*}} {
// CHECK-NEXT:      %[[first:.*]] = ocl.load %start[%[[j]]]
// CHECK-NEXT:      ocl.store %[[first]], %out[%[[j]]]
// CHECK-NEXT:    }
// CHECK:         scf.for %[[i:.*]] = {{.*}} {
// CHECK-NEXT:      %[[id:.*]] = ocl.load %ids[%[[i]]]
// CHECK-NEXT:      %[[at:.*]] = arith.index_cast %[[id]] : i32 to index
// CHECK-NEXT:      %[[old:.*]] = ocl.load %out[%[[at]]]
// CHECK-NEXT:      %[[new:.*]] = ocl.load %x[%[[i]]]
// CHECK-NEXT:      %[[s:.*]] = arith.addi %[[old]], %[[new]] : i32
// CHECK-NEXT:      ocl.store %[[s]], %out[%[[at]]]

// -----

// The loop of a scatter computes the scan that it reads. The last element of the scan is what the loop
// carries at its end.

func.func @positions(%x: !pattern.array<64, i32>, %steps: !pattern.array<64, i32>, %start: !pattern.array<64, i32>) -> (!pattern.array<64, i32>, !pattern.array<1, i32>) {
  %zero = arith.constant 0 : i32
  %ids = pattern.scan %steps init %zero as %p: i32, %q: i32 {
    %id = arith.addi %p, %q : i32
    pattern.yield %id : i32
  } : !pattern.array<64, i32>
  %r = pattern.scatter %x to %ids init %start as %old: i32, %new: i32 {
    pattern.yield %new : i32
  } : !pattern.array<64, i32>
  %end = pattern.drop %ids by 63 : !pattern.array<1, i32>
  %last = pattern.reduce %end init %zero as %p: i32, %q: i32 {
    %s = arith.addi %p, %q : i32
    pattern.yield %s : i32
  } : !pattern.array<1, i32>
  func.return %r, %last : !pattern.array<64, i32>, !pattern.array<1, i32>
}

// CHECK-LABEL: ocl.kernel @positions_0
// CHECK:         %[[end:.*]] = scf.for %[[i:.*]] = {{.*}} iter_args(%[[id:.*]] = %zero) -> (i32) {
// CHECK:           %[[next:.*]] = arith.addi %[[id]],
// CHECK:           scf.yield %[[next]] : i32
// CHECK-NOT:     scf.for
// CHECK:         arith.addi {{.*}}%[[end]]

// -----

// A function that is applied five times to all elements. The first and the last iteration have kernels
// of their own; those between get the number of the iteration as an argument, and take turns.

func.func @repeated(%x: !pattern.array<64, i32>) -> !pattern.array<64, i32> {
  %r = pattern.iterate 5 %x as %v: !pattern.array<64, i32>, %i: index {
    %k = arith.index_cast %i : index to i32
    %w = pattern.map_global %v as %e: i32 {
      %s = arith.muli %e, %k : i32
      pattern.yield %s : i32
    } : !pattern.array<64, i32>
    pattern.yield %w : !pattern.array<64, i32>
  } : !pattern.array<64, i32>
  func.return %r : !pattern.array<64, i32>
}

// CHECK-LABEL: func.func @repeated
// CHECK:         pattern.launch @repeated_0 global [64] local [16] (%x, %temp)
// CHECK-NEXT:    pattern.launch @repeated_1 global [64] local [16] (%temp, %temp_1) sizes [1]
// CHECK-NEXT:    pattern.launch @repeated_2 global [64] local [16] (%temp_1, %temp) sizes [2]
// CHECK-NEXT:    pattern.launch @repeated_1 global [64] local [16] (%temp, %temp_1) sizes [3]
// CHECK-NEXT:    pattern.launch @repeated_3 global [64] local [16] (%temp_1, %out)

// -----

// A filter is a scan of flags, which counts the elements before each one, and a scatter, in one loop. The
// others count all elements that stay, and copy the initial array.

func.func @filter(%x: !pattern.array<64, i32>, %k: i32) -> (!pattern.array<64, i32>, !pattern.array<1, index>) {
  %y, %n = pattern.filter %x as %e: i32 {
    %p = arith.cmpi slt, %e, %k : i32
    pattern.yield %p : i1
  } : !pattern.array<64, i32>, !pattern.array<1, index>
  func.return %y, %n : !pattern.array<64, i32>, !pattern.array<1, index>
}

// CHECK-LABEL: ocl.kernel @filter_0
// CHECK-COUNT-3: scf.for
// CHECK-NOT:     scf.for
// CHECK-LABEL: func.func @filter

// -----

// A scan that only a scatter reads has no array: the loop of the scatter carries its accumulator. An array
// of tuples whose parts are the results is written to both of them.

func.func @scan_for_scatter(%x: !pattern.array<64, i32>) -> (!pattern.array<99, i32>, !pattern.array<99, i32>) {
  %zero = arith.constant 0 : i32
  %zeros = pattern.generate as %i: index {
    %z = pattern.tuple %zero, %zero : tuple<i32, i32>
    pattern.yield %z : tuple<i32, i32>
  } : !pattern.array<99, tuple<i32, i32>>
  %places = pattern.scan %x init %zero as %p: i32, %q: i32 exclusive {
    %s = arith.addi %p, %q : i32
    pattern.yield %s : i32
  } : !pattern.array<64, i32>
  %pairs = pattern.zip %x, %places : !pattern.array<64, tuple<i32, i32>>
  %r = pattern.scatter %pairs to %places init %zeros as (%a: i32, %b: i32), (%c: i32, %d: i32) {
    pattern.yield %c, %d : i32, i32
  } : !pattern.array<99, tuple<i32, i32>>
  %u, %v = pattern.unzip %r : !pattern.array<99, i32>, !pattern.array<99, i32>
  func.return %u, %v : !pattern.array<99, i32>, !pattern.array<99, i32>
}

// CHECK-LABEL: ocl.kernel @scan_for_scatter_0
// CHECK:         %{{.*}} = scf.for %[[i:.*]] = {{.*}} iter_args(%[[place:.*]] = %zero) -> (i32) {
// CHECK-NEXT:      %[[e:.*]] = ocl.load %x[%[[i]]]
// CHECK-NEXT:      %[[next:.*]] = arith.addi %[[place]], %[[e]] : i32
// CHECK-NEXT:      %[[at:.*]] = arith.index_cast %[[place]] : i32 to index
// CHECK-NEXT:      %[[again:.*]] = ocl.load %x[%[[i]]]
// CHECK-NEXT:      ocl.store %[[again]], %out[%[[at]]]
// CHECK-NEXT:      ocl.store %[[place]], %out_1[%[[at]]]
// CHECK-NEXT:      scf.yield %[[next]] : i32
