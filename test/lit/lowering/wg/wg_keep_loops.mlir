// RUN: ocl-opt %s -p wg-keep-loops | filecheck %s
// RUN: ocl-opt %s -p wg-keep-loops,wg-to-scf,wg-to-launch,scf-to-cf,convert-to-llvm -t llvm-ir | filecheck %s --check-prefix LLVM

// The rows of a sparse matrix: each work-item reads where its loop starts and ends, and gathers.
// CHECK-LABEL: wg.func @row(
// CHECK:       } {ocl.unroll = -2 : i32}
// LLVM-DAG:    distinct !{ !{{[0-9]+}}, !{{[0-9]+}}, !{{[0-9]+}} }
// LLVM-DAG:    !"llvm.loop.unroll.runtime.disable"
// LLVM-DAG:    !"llvm.loop.vectorize.width", i32 1
wg.func @row(%starts: !ocl.ptr<i32, global> {ocl.name = "starts"}, %columns: !ocl.ptr<i32, global> {ocl.name = "columns"}, %v: !ocl.ptr<f32, global> {ocl.name = "v"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %first = ocl.load %starts[%x] : !ocl.ptr<i32, global>
    %start = arith.index_cast %first : i32 to index
    %next = arith.addi %x, %c1 : index
    %last = ocl.load %starts[%next] : !ocl.ptr<i32, global>
    %end = arith.index_cast %last : i32 to index
    %s = scf.for %k = %start to %end step %c1 iter_args(%old = %zero) -> (f32) {
      %number = ocl.load %columns[%k] : !ocl.ptr<i32, global>
      %column = arith.index_cast %number : i32 to index
      %value = ocl.load %v[%column] : !ocl.ptr<f32, global>
      %new = arith.addf %old, %value : f32
      scf.yield %new : f32
    }
    ocl.store %s, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// What it reads lies side by side: LLVM may make vectors of it.
// CHECK-LABEL: wg.func @segment(
// CHECK:       } {ocl.unroll = -1 : i32}
wg.func @segment(%starts: !ocl.ptr<i32, global> {ocl.name = "starts"}, %v: !ocl.ptr<f32, global> {ocl.name = "v"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %first = ocl.load %starts[%x] : !ocl.ptr<i32, global>
    %start = arith.index_cast %first : i32 to index
    %next = arith.addi %x, %c1 : index
    %last = ocl.load %starts[%next] : !ocl.ptr<i32, global>
    %end = arith.index_cast %last : i32 to index
    %s = scf.for %k = %start to %end step %c1 iter_args(%old = %zero) -> (f32) {
      %value = ocl.load %v[%k] : !ocl.ptr<f32, global>
      %new = arith.addf %old, %value : f32
      scf.yield %new : f32
    }
    ocl.store %s, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// It counts where a byte differs from the one before: one vector at a time.
// CHECK-LABEL: wg.func @runs(
// CHECK:       } {ocl.unroll = -7 : i32}
// LLVM-DAG:    !"llvm.loop.interleave.count", i32 1
wg.func @runs(%starts: !ocl.ptr<i32, global> {ocl.name = "starts"}, %v: !ocl.ptr<i8, global> {ocl.name = "v"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant 0 : i8
  %zero = arith.constant 0 : i32
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %first = ocl.load %starts[%x] : !ocl.ptr<i32, global>
    %start = arith.index_cast %first : i32 to index
    %next = arith.addi %x, %c1 : index
    %last = ocl.load %starts[%next] : !ocl.ptr<i32, global>
    %end = arith.index_cast %last : i32 to index
    %n, %after = scf.for %k = %start to %end step %c1 iter_args(%old = %zero, %before = %none) -> (i32, i8) {
      %value = ocl.load %v[%k] : !ocl.ptr<i8, global>
      %differs = arith.cmpi ne, %value, %before : i8
      %one = arith.extui %differs : i1 to i32
      %new = arith.addi %old, %one : i32
      scf.yield %new, %value : i32, i8
    }
    ocl.store %n, %out[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// A number of iterations that all work-items share, or that grows with the id, is predicted.
// CHECK-LABEL: wg.func @known(
// CHECK-NOT:   ocl.unroll
wg.func @known(%size: i32 {ocl.name = "size"}, %v: !ocl.ptr<f32, global> {ocl.name = "v"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %n = arith.index_cast %size : i32 to index
    %s = scf.for %k = %x to %n step %c1 iter_args(%old = %zero) -> (f32) {
      %value = ocl.load %v[%k] : !ocl.ptr<f32, global>
      %new = arith.addf %old, %value : f32
      scf.yield %new : f32
    }
    ocl.store %s, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// The sum of the differences of two rows of 16 bytes: LLVM would unroll it before it makes vectors.
// It begins at 0: a vector alone is summed, and what was there before is added afterwards.
// CHECK-LABEL: wg.func @differences(
// CHECK:         [[ZERO:%.*]] = arith.constant 0 : i32
// CHECK-NEXT:    %s = scf.for %k = %c0 to %c16 step %c1 iter_args(%old = [[ZERO]]) -> (i32) {
// CHECK:         } {ocl.unroll = -3 : i32}
// CHECK-NEXT:    [[WHOLE:%.*]] = arith.addi %s, %begun : i32
// CHECK-NEXT:    ocl.store [[WHOLE]], %out[%x]
wg.func @differences(%a: !ocl.ptr<i8, global> {ocl.name = "a"}, %b: !ocl.ptr<i8, global> {ocl.name = "b"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %begun = ocl.load %out[%x] : !ocl.ptr<i32, global>
    %s = scf.for %k = %c0 to %c16 step %c1 iter_args(%old = %begun) -> (i32) {
      %at = arith.addi %x, %k : index
      %v = ocl.load %a[%at] : !ocl.ptr<i8, global>
      %w = ocl.load %b[%k] : !ocl.ptr<i8, global>
      %more = arith.cmpi ugt, %v, %w : i8
      %up = arith.subi %v, %w : i8
      %down = arith.subi %w, %v : i8
      %difference = arith.select %more, %up, %down : i8
      %wide = arith.extui %difference : i8 to i32
      %new = arith.addi %old, %wide : i32
      scf.yield %new : i32
    }
    ocl.store %s, %out[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// Sums of floats have an order, and what a loop stores may be what it reads next: as before.
// CHECK-LABEL: wg.func @floats(
// CHECK-NOT:   ocl.unroll
wg.func @floats(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<i32, global> {ocl.name = "b"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %s = scf.for %k = %c0 to %c16 step %c1 iter_args(%old = %zero) -> (f32) {
      %v = ocl.load %a[%k] : !ocl.ptr<f32, global>
      %new = arith.addf %old, %v : f32
      scf.yield %new : f32
    }
    ocl.store %s, %out[%x] : !ocl.ptr<f32, global>
    %n = scf.for %k = %c0 to %c16 step %c1 iter_args(%old = %none) -> (i32) {
      %v = ocl.load %b[%k] : !ocl.ptr<i32, global>
      %new = arith.addi %old, %v : i32
      ocl.store %new, %b[%k] : !ocl.ptr<i32, global>
      scf.yield %new : i32
    }
  }
  wg.return
}
