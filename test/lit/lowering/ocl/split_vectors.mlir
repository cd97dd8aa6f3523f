// RUN: ocl-opt %s -p split-vectors | filecheck %s

// Coordinates: each element is computed from scalars, and the vectors go. The sign of a vector's
// condition is the condition.
wg.func @coordinates(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %x: i32 {ocl.name = "x"}, %y: i32 {ocl.name = "y"}) {
  %none = ub.poison : vector<2xi32>
  %first = vector.insert %x, %none [0] : i32 into vector<2xi32>
  %at = vector.insert %y, %first [1] : i32 into vector<2xi32>
  %ones = arith.constant dense<1> : vector<2xi32>
  %zeros = arith.constant dense<0> : vector<2xi32>
  %before = arith.subi %at, %ones : vector<2xi32>
  %left = vector.extract %before[0] : i32 from vector<2xi32>
  ocl.store %left, %p : !ocl.ptr<i32, global>
  %less = vec.cmpi slt, %at, %ones : vector<2xi32>
  %wide = vec.extsi %less : vector<2xi1> to vector<2xi32>
  %signs = vec.cmpi slt, %wide, %zeros : vector<2xi32>
  %below = vector.extract %signs[1] : i1 from vector<2xi1>
  scf.if %below {
    ocl.store %y, %p : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @coordinates(
// CHECK-NEXT:    %[[ONE:.*]] = arith.constant 1 : i32
// CHECK:         %left = arith.subi %x, %{{.*}} : i32
// CHECK-NEXT:    ocl.store %left, %p
// CHECK:         %below = arith.cmpi slt, %y, %{{.*}} : i32
// CHECK-NOT:     vector
// CHECK:         scf.if %below {

// Vectors from memory stay, and so do bytes, which are pixels.
wg.func @kept(%p: !ocl.ptr<vector<2xi32>, global> {ocl.name = "p"}, %q: !ocl.ptr<i32, global> {ocl.name = "q"}, %b: i8 {ocl.name = "b"}) {
  %v = ocl.load %p : !ocl.ptr<vector<2xi32>, global>
  %twice = arith.addi %v, %v : vector<2xi32>
  %x = vector.extract %twice[0] : i32 from vector<2xi32>
  ocl.store %x, %q : !ocl.ptr<i32, global>
  %bytes = vector.broadcast %b : i8 to vector<4xi8>
  %sum = arith.addi %bytes, %bytes : vector<4xi8>
  %c = vector.extract %sum[3] : i8 from vector<4xi8>
  %d = arith.extsi %c : i8 to i32
  ocl.store %d, %q : !ocl.ptr<i32, global>
  wg.return
}

// CHECK-LABEL: wg.func @kept(
// CHECK:         %x = vector.extract %twice[0]
// CHECK:         %c = vector.extract %sum[3]

// A branch between two coordinates chooses their elements; one whose vector is stored as it is stays.
wg.func @chosen(%x: i32 {ocl.name = "x"}, %y: i32 {ocl.name = "y"}, %p: !ocl.ptr<i32, global> {ocl.name = "p"}, %q: !ocl.ptr<vector<2xi32>, global> {ocl.name = "q"}) {
  %one = arith.constant dense<1> : vector<2xi32>
  %c = arith.cmpi slt, %x, %y : i32
  %left, %z = scf.if %c -> (vector<2xi32>, i32) {
    %both = ocl.concat %x, %y : i32, i32 -> vector<2xi32>
    scf.yield %both, %x : vector<2xi32>, i32
  } else {
    scf.yield %one, %y : vector<2xi32>, i32
  }
  %next = arith.addi %left, %one : vector<2xi32>
  %at = vector.extract %next[1] : i32 from vector<2xi32>
  ocl.store %at, %p : !ocl.ptr<i32, global>
  ocl.store %z, %p : !ocl.ptr<i32, global>
  %whole = scf.if %c -> (vector<2xi32>) {
    scf.yield %one : vector<2xi32>
  } else {
    %pair = ocl.concat %x, %y : i32, i32 -> vector<2xi32>
    scf.yield %pair : vector<2xi32>
  }
  ocl.store %whole, %q : !ocl.ptr<vector<2xi32>, global>
  wg.return
}

// CHECK-LABEL: wg.func @chosen(
// CHECK:         %{{.*}}, %[[Y:.*]], %z = scf.if %c -> (i32, i32, i32) {
// CHECK-NEXT:      scf.yield %x, %y, %x : i32, i32, i32
// CHECK:           scf.yield %{{.*}}, %{{.*}}, %y : i32, i32, i32
// CHECK:         %[[AT:.*]] = arith.addi %[[Y]], %{{.*}} : i32
// CHECK-NEXT:    ocl.store %[[AT]], %p
// CHECK:         %whole = scf.if %c -> (vector<2xi32>) {

// One of two vectors, as a scalar says: each element is one of two scalars.
wg.func @selected(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %x: i32 {ocl.name = "x"}, %y: i32 {ocl.name = "y"}, %flag: i8 {ocl.name = "flag"}) {
  %c = arith.trunci %flag : i8 to i1
  %none = ub.poison : vector<2xi32>
  %first = vector.insert %x, %none [0] : i32 into vector<2xi32>
  %at = vector.insert %y, %first [1] : i32 into vector<2xi32>
  %ones = arith.constant dense<1> : vector<2xi32>
  %one = arith.select %c, %at, %ones : vector<2xi32>
  %row = vector.extract %one[1] : i32 from vector<2xi32>
  ocl.store %row, %p : !ocl.ptr<i32, global>
  wg.return
}

// CHECK-LABEL: wg.func @selected(
// CHECK-NOT:     vector
// CHECK:         %row = arith.select %c, %y, %{{.*}} : i32
// CHECK-NEXT:    ocl.store %row, %p
