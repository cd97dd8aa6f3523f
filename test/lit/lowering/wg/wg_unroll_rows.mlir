// RUN: ocl-opt %s -p wg-unroll-rows | filecheck %s
// RUN: ocl-opt %s -p wg-unroll-rows --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK
// RUN: ocl-opt %s -p 'wg-unroll-rows,wg-read-rows{distinct=true}' | filecheck %s --check-prefix=ROWS

// Each work-item copies two elements of its own in each of two rows: all four are in one block.

// REMARK: wg_unroll_rows.mlir:[[# @LINE + 8]]:5: remark: a short row: unrolled [wg-unroll-rows]
wg.func @copy(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 16, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %lx = arith.constant 16 : index
  wg.parallel (%x, %y, %z) in (%lx, %c1, %c1) {
    scf.for %k = %c0 to %c2 step %c1 {
      scf.for %row = %c0 to %c2 step %c1 {
        %start = arith.muli %row, %c32 : index
        %own = arith.muli %x, %c2 : index
        %i = arith.addi %own, %k : index
        %at = arith.addi %start, %i : index
        %v = ocl.load %a[%at] : !ocl.ptr<f32, global>
        ocl.store %v, %out[%at] : !ocl.ptr<f32, global>
      }
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @copy
// CHECK-NOT:     scf.for
// CHECK-COUNT-4: ocl.store
// CHECK-NOT:     ocl.store
// CHECK:         wg.return

// Neighbours have neighbouring elements, and a loop goes on by a whole row: LLVM unrolls it as well.

wg.func @columns(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 16, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %lx = arith.constant 16 : index
  wg.parallel (%x, %y, %z) in (%lx, %c1, %c1) {
    scf.for %k = %c0 to %c2 step %c1 {
      %start = arith.muli %k, %lx : index
      %at = arith.addi %start, %x : index
      %v = ocl.load %a[%at] : !ocl.ptr<f32, global>
      ocl.store %v, %out[%at] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @columns
// CHECK:         scf.for %k = %c0 to %c2 step %c1 {

// A row of 17 numbers is read by pairs. Then the outer loop goes on by two of them, and
// wg-read-rows by four.

wg.func @pairs(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 16, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c17 = arith.constant 17 : index
  %lx = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  wg.parallel (%x, %y, %z) in (%lx, %c1, %c1) {
    %sum = scf.for %j = %c0 to %lx step %c2 iter_args(%p = %zero) -> (f32) {
      %two = scf.for %k = %c0 to %c2 step %c1 iter_args(%q = %p) -> (f32) {
        %start = arith.muli %x, %c17 : index
        %i = arith.addi %j, %k : index
        %at = arith.addi %start, %i : index
        %v = ocl.load %a[%at] : !ocl.ptr<f32, global>
        %r = arith.addf %q, %v : f32
        scf.yield %r : f32
      }
      scf.yield %two : f32
    }
    ocl.store %sum, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// ROWS-LABEL: wg.func @pairs
// ROWS:         [[FOUR:%.*]] = arith.constant 4 : index
// ROWS-NEXT:    scf.for %j = %c0 to {{%.*}} step [[FOUR]]
// ROWS:           [[ROW:%.*]] = ocl.vload {{.*}} -> vector<4xf32>
// ROWS:           vector.extract [[ROW]][0]
// ROWS:           vector.extract [[ROW]][1]
// ROWS:           vector.extract [[ROW]][2]
// ROWS:           vector.extract [[ROW]][3]
// ROWS-NOT:       ocl.load
// ROWS:           scf.yield

// Both loops go along rows.

wg.func @both(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 16, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c17 = arith.constant 17 : index
  %lx = arith.constant 16 : index
  wg.parallel (%x, %y, %z) in (%lx, %c1, %c1) {
    %start = arith.muli %x, %c17 : index
    scf.for %k = %c0 to %c2 step %c1 {
      scf.for %l = %c0 to %c2 step %c1 {
        %i = arith.addi %start, %k : index
        %j = arith.addi %i, %l : index
        %v = ocl.load %a[%j] : !ocl.ptr<f32, global>
        ocl.store %v, %out[%j] : !ocl.ptr<f32, global>
      }
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @both
// CHECK-NOT:     scf.for
// CHECK-COUNT-3: ocl.load
