// RUN: ocl-opt %s -p wg-vectorize --remarks 2>&1 >/dev/null | filecheck %s

// What the pass chooses, and what it refuses, it tells in remarks. Vectors have 512 bits of the
// widest type that is read or written.
wg.func @floats(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
  %n = arith.constant 64 : index
  %one = arith.constant 1 : index
  // CHECK: wg_vectorize_choice.mlir:[[# @LINE + 1]]:3: remark: vectorised along x for 16 work-items [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    %w = arith.negf %v : f32
    ocl.store %w, %a[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

wg.func @doubles(%a: !ocl.ptr<f64, global> {ocl.name = "a"}) {
  %n = arith.constant 64 : index
  %one = arith.constant 1 : index
  // CHECK: wg_vectorize_choice.mlir:[[# @LINE + 1]]:3: remark: vectorised along x for 8 work-items [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<f64, global>
    %w = arith.negf %v : f64
    ocl.store %w, %a[%x] : !ocl.ptr<f64, global>
  }
  wg.return
}

// Small groups have small vectors: 4 work-items do not need 16 lanes.
wg.func @small(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
  %n = arith.constant 4 : index
  %one = arith.constant 1 : index
  // CHECK: wg_vectorize_choice.mlir:[[# @LINE + 1]]:3: remark: vectorised along x for 4 work-items [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    %w = arith.negf %v : f32
    ocl.store %w, %a[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// Neighbours along y access neighbours in memory, those along x do not.
wg.func @columns(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
  %n = arith.constant 16 : index
  %one = arith.constant 1 : index
  // CHECK: wg_vectorize_choice.mlir:[[# @LINE + 1]]:3: remark: vectorised along y for 16 work-items [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%n, %n, %one) {
    %row = arith.muli %x, %n : index
    %i = arith.addi %row, %y : index
    %v = ocl.load %a[%i] : !ocl.ptr<f32, global>
    %w = arith.negf %v : f32
    ocl.store %w, %a[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

wg.func @one_work_item(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
  %one = arith.constant 1 : index
  // CHECK: wg_vectorize_choice.mlir:[[# @LINE + 1]]:3: remark: not vectorised: no dimension has several work-items [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%one, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    ocl.store %v, %a[%one] : !ocl.ptr<f32, global>
  }
  wg.return
}

// The size is not constant, and the function does not say what it is at most.
wg.func @unknown_size(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
  %one = arith.constant 1 : index
  %n = ocl.local_size 0 : index
  // CHECK: wg_vectorize_choice.mlir:[[# @LINE + 1]]:3: remark: not vectorised: no dimension has several work-items [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    ocl.store %v, %a[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// A byte here and there: gathers of bytes are slow, and there is little else to do.
wg.func @bytes(%at: !ocl.ptr<i32, global> {ocl.name = "at"}, %a: !ocl.ptr<i8, global> {ocl.name = "a"}) {
  %n = arith.constant 64 : index
  %one = arith.constant 1 : index
  // CHECK: wg_vectorize_choice.mlir:[[# @LINE + 1]]:3: remark: not vectorised: accesses all over memory cost more than vectors save [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %j = ocl.load %at[%x] : !ocl.ptr<i32, global>
    %i = arith.index_cast %j : i32 to index
    %v = ocl.load %a[%i] : !ocl.ptr<i8, global>
    ocl.store %v, %a[%i] : !ocl.ptr<i8, global>
  }
  wg.return
}
