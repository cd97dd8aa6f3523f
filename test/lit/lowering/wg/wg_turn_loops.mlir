// RUN: ocl-opt %s -p wg-turn-loops | filecheck %s
// RUN: ocl-opt %s -p wg-turn-loops --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Each work-item writes a row; the new ones write an element each, and neighbours write neighbours.
// REMARK: wg_turn_loops.mlir:[[# @LINE + 10]]:5: remark: turned: iterations are neighbours [wg-turn-loops]
wg.func @rows(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %n: i64 {ocl.name = "n"}) attributes {local_size = array<i64: 32, 2, 1>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %lx = arith.constant 32 : index
  %begin = ocl.group_id 0 : index
  %count = arith.constant 40 : index
  %width = arith.index_cast %n : i64 to index
  wg.parallel (%x, %y, %z) in (%lx, %two, %one) {
    scf.for %j = %zero to %count step %one {
      %row = arith.addi %begin, %x : index
      %r = arith.muli %row, %width : index
      %i = arith.addi %r, %j : index
      %v = ocl.load %out[%i] : !ocl.ptr<i32, global>
      %odd = arith.trunci %v : i32 to i1
      scf.if %odd {
        %w = arith.addi %v, %v : i32
        ocl.store %w, %out[%i] : !ocl.ptr<i32, global>
      }
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @rows
// CHECK:         scf.for %first = %zero to %count step [[SIZE:%.*]] {
// CHECK-NEXT:      wg.parallel (%x, %y, %z{{.*}}) in ({{%.*}}, %lx, %two) {
// CHECK-NEXT:        %j = arith.addi %first, %x : index
// CHECK-NEXT:        [[INSIDE:%.*]] = arith.cmpi slt, %j, %count : index
// CHECK-NEXT:        scf.if [[INSIDE]] {
// CHECK-NEXT:          %row = arith.addi %begin, %y : index
// CHECK-NEXT:          %r = arith.muli %row, %width : index
// CHECK-NEXT:          %i = arith.addi %r, %j : index
// CHECK-NEXT:          %v = ocl.load %out[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:          %odd = arith.trunci %v : i32 to i1
// CHECK-NEXT:          scf.if %odd {
// CHECK-NEXT:            %w = arith.addi %v, %v : i32
// CHECK-NEXT:            ocl.store %w, %out[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      } attributes {wg.spread}

// An element is computed from the one before: iterations stay in their order.
// REMARK: wg_turn_loops.mlir:[[# @LINE + 9]]:5: remark: not turned: iterations may access the same elements [wg-turn-loops]
wg.func @chain(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %n: i64 {ocl.name = "n"}) attributes {local_size = array<i64: 32, 1, 1>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %lx = arith.constant 32 : index
  %begin = ocl.group_id 0 : index
  %count = arith.constant 40 : index
  %width = arith.index_cast %n : i64 to index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    scf.for %j = %one to %count step %one {
      %row = arith.addi %begin, %x : index
      %r = arith.muli %row, %width : index
      %i = arith.addi %r, %j : index
      %before = arith.subi %i, %one : index
      %v = ocl.load %out[%before] : !ocl.ptr<i32, global>
      %w = arith.addi %v, %v : i32
      ocl.store %w, %out[%i] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @chain
// CHECK:         wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
// CHECK-NEXT:      scf.for %j = %one to %count step %one {
