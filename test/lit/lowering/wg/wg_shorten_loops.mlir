// RUN: ocl-opt %s -p wg-shorten-loops | filecheck %s

// Taps that may be before or behind a row: the guard's comparisons are the bounds.
// CHECK-LABEL: wg.func @taps(
// CHECK:         %[[NEG:.*]] = arith.subi %{{.*}}, %x : index
// CHECK:         %[[FIRST:.*]] = arith.maxsi %c0, %[[NEG]] : index
// CHECK:         %[[W:.*]] = arith.index_cast %j : i32 to index
// CHECK-NEXT:    %[[REST:.*]] = arith.subi %[[W]], %x : index
// CHECK-NEXT:    %[[END:.*]] = arith.minsi %n, %[[REST]] : index
// CHECK-NEXT:    scf.for %k = %[[FIRST]] to %[[END]] step %c1 iter_args(
// CHECK-NOT:       scf.if
// CHECK:         wg.return
wg.func @taps(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %i: i32 {ocl.name = "i"}, %j: i32 {ocl.name = "j"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %n = arith.index_cast %i : i32 to index
  %w = arith.index_cast %j : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%old = %zero) -> (f32) {
      %at = arith.addi %x, %k : index
      %behind = arith.cmpi sge, %at, %c0 : index
      %before = arith.cmpi slt, %at, %w : index
      %inside = arith.andi %behind, %before : i1
      %new = scf.if %inside -> (f32) {
        %v = ocl.load %in[%at] : !ocl.ptr<f32, global>
        %more = arith.addf %old, %v : f32
        scf.yield %more : f32
      } else {
        scf.yield %old : f32
      }
      scf.yield %new : f32
    }
    ocl.store %sum, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// Rows and columns: what the inner loop does not change is around it, and shortens the outer one.
// What remains of a guard stays.
// CHECK-LABEL: wg.func @triangle(
// CHECK:         %[[ENDROW:.*]] = arith.minsi %n, %{{.*}} : index
// CHECK-NEXT:    scf.for %row = %c0 to %[[ENDROW]] step %c1 {
// CHECK:           %[[END:.*]] = arith.minsi %n, %{{.*}} : index
// CHECK-NEXT:      scf.for %k = %c0 to %[[END]] step %c1 {
// CHECK:             %[[DATA:.*]] = arith.cmpi ne
// CHECK-NEXT:        scf.if %[[DATA]] {
// CHECK:         wg.return
wg.func @triangle(%in: !ocl.ptr<i32, global> {ocl.name = "in"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}, %i: i32 {ocl.name = "i"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %n = arith.index_cast %i : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    scf.for %row = %c0 to %n step %c1 {
      scf.for %k = %c0 to %n step %c1 {
        %v = ocl.load %in[%k] : !ocl.ptr<i32, global>
        %data = arith.cmpi ne, %v, %zero : i32
        %below = arith.cmpi sle, %k, %x : index
        %rows = arith.cmpi sle, %row, %x : index
        %some = arith.andi %below, %data : i1
        %all = arith.andi %rows, %some : i1
        scf.if %all {
          ocl.store %v, %out[%k] : !ocl.ptr<i32, global>
        }
      }
    }
  }
  wg.return
}

// These stay: something happens where the guard fails; the guard asks for a number that the loop
// changes, for twice the counter, or for a sum without sign; eight iterations are unrolled.
// CHECK-LABEL: wg.func @others(
// CHECK-NOT:     arith.maxsi
// CHECK-NOT:     arith.minsi
// CHECK:         wg.return
wg.func @others(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %i: i32 {ocl.name = "i"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %n = arith.index_cast %i : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    scf.for %k = %c0 to %n step %c1 {
      %in = arith.cmpi slt, %k, %x : index
      ocl.store %zero, %out[%k] : !ocl.ptr<i32, global>
      scf.if %in {
        ocl.store %one, %out[%x] : !ocl.ptr<i32, global>
      }
    }
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%old = %zero) -> (i32) {
      %in = arith.cmpi slt, %old, %i : i32
      %new = scf.if %in -> (i32) {
        %more = arith.addi %old, %one : i32
        scf.yield %more : i32
      } else {
        scf.yield %old : i32
      }
      scf.yield %new : i32
    }
    scf.for %k = %c0 to %n step %c1 {
      %twice = arith.muli %k, %c2 : index
      %in = arith.cmpi slt, %twice, %x : index
      scf.if %in {
        ocl.store %one, %out[%k] : !ocl.ptr<i32, global>
      }
    }
    scf.for %k = %c0 to %n step %c1 {
      %in = arith.cmpi ult, %k, %x : index
      scf.if %in {
        ocl.store %one, %out[%k] : !ocl.ptr<i32, global>
      }
    }
    scf.for %k = %c0 to %c8 step %c1 {
      %in = arith.cmpi slt, %k, %x : index
      scf.if %in {
        ocl.store %sum, %out[%k] : !ocl.ptr<i32, global>
      }
    }
  }
  wg.return
}
