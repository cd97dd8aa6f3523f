// RUN: ocl-opt %s -p 'wg-row-vectors{distinct=true}' | filecheck %s
// RUN: ocl-opt %s -p 'wg-row-vectors{distinct=true}' --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK
// RUN: ocl-opt %s -p wg-row-vectors | filecheck %s --check-prefix=SHARED

// Blocks of 16 bytes and a scale: a work-item converts its bytes at once. A row of 20 is five vectors of four elements.
// REMARK: wg_row_vectors.mlir:[[# @LINE + 27]]:5: remark: a short row: a vector [wg-row-vectors]
// CHECK-LABEL: wg.func @blocks(
// CHECK:         %[[SCALE:.*]] = ocl.load %s[%x]
// CHECK-NOT:     scf.for
// CHECK:         %[[BYTES:.*]] = ocl.vload {{.*}} -> vector<16xi8>
// CHECK-NEXT:    %[[NUMBERS:.*]] = vec.sitofp %[[BYTES]] : vector<16xi8> to vector<16xf32>
// CHECK-NEXT:    %[[SCALES:.*]] = vector.broadcast %[[SCALE]] : f32 to vector<16xf32>
// CHECK-NEXT:    %[[ROW:.*]] = arith.mulf %[[SCALES]], %[[NUMBERS]] : vector<16xf32>
// CHECK:         ocl.vstore %[[ROW]]
// CHECK:         scf.for %[[FIRST:.*]] = %c0 to %c20 step %{{.*}} {
// CHECK:           ocl.vload {{.*}} -> vector<4xi8>
// CHECK:           ocl.vstore
// CHECK-NEXT:    }

// Both parameters may be of one buffer.
// SHARED-LABEL: wg.func @blocks(
// SHARED-NOT:     vector
wg.func @blocks(%q: !ocl.ptr<i8, global> {ocl.name = "q"}, %s: !ocl.ptr<f32, global> {ocl.name = "s"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c20 = arith.constant 20 : index
  %c36 = arith.constant 36 : index
  %c64 = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %scale = ocl.load %s[%x] : !ocl.ptr<f32, global>
    %row = arith.muli %x, %c36 : index
    scf.for %k = %c0 to %c16 step %c1 {
      %at = arith.addi %row, %k : index
      %byte = ocl.load %q[%at] : !ocl.ptr<i8, global>
      %number = arith.sitofp %byte : i8 to f32
      %scaled = arith.mulf %scale, %number : f32
      ocl.store %scaled, %out[%at] : !ocl.ptr<f32, global>
    }
    %rest = arith.addi %row, %c16 : index
    scf.for %k = %c0 to %c20 step %c1 {
      %at = arith.addi %rest, %k : index
      %byte = ocl.load %q[%at] : !ocl.ptr<i8, global>
      %number = arith.sitofp %byte : i8 to f32
      ocl.store %number, %out[%at] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// An iteration reads what the one before has written.
// CHECK-LABEL: wg.func @chain(
// CHECK-NOT:     vector
wg.func @chain(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c17 = arith.constant 17 : index
  %c64 = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %row = arith.muli %x, %c17 : index
    scf.for %k = %c0 to %c16 step %c1 {
      %at = arith.addi %row, %k : index
      %before = ocl.load %a[%at] : !ocl.ptr<f32, global>
      %twice = arith.addf %before, %before : f32
      %next = arith.addi %at, %c1 : index
      ocl.store %twice, %a[%next] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// What else work-items compute is faster with lanes: the loop stays.
// CHECK-LABEL: wg.func @columns(
// CHECK-NOT:     vector
wg.func @columns(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %t: !ocl.ptr<f32, local> {ocl.name = "t"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    %e = math.exp2 %v : f32
    %s = math.sqrt %e : f32
    %d = arith.divf %s, %v : f32
    ocl.store %d, %out[%x] : !ocl.ptr<f32, global>
    %row = arith.muli %x, %c4 : index
    scf.for %k = %c0 to %c4 step %c1 {
      %at = arith.addi %row, %k : index
      ocl.store %d, %t[%at] : !ocl.ptr<f32, local>
    }
  }
  wg.return
}
