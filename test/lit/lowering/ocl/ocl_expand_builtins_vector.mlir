// RUN: ocl-opt %s -p ocl-expand-builtins | filecheck %s

// Vector literals and shuffles.

// CHECK:      func.func @splat(%x: f32) -> vector<4xf32> {
// CHECK-NEXT:   %r = vector.broadcast %x : f32 to vector<4xf32>
// CHECK-NEXT:   func.return %r : vector<4xf32>
// CHECK-NEXT: }
func.func @splat(%x: f32) -> vector<4xf32> {
  %r = ocl.concat %x, %x, %x, %x : f32, f32, f32, f32 -> vector<4xf32>
  func.return %r : vector<4xf32>
}

// CHECK:      func.func @concat(%x: vector<2xf32>, %y: f32) -> vector<3xf32> {
// CHECK-NEXT:   %0 = vector.extract %x[0] : f32 from vector<2xf32>
// CHECK-NEXT:   %1 = vector.extract %x[1] : f32 from vector<2xf32>
// CHECK-NEXT:   %2 = ub.poison : vector<3xf32>
// CHECK-NEXT:   %3 = vector.insert %0, %2 [0] : f32 into vector<3xf32>
// CHECK-NEXT:   %4 = vector.insert %1, %3 [1] : f32 into vector<3xf32>
// CHECK-NEXT:   %r = vector.insert %y, %4 [2] : f32 into vector<3xf32>
// CHECK-NEXT:   func.return %r : vector<3xf32>
// CHECK-NEXT: }
func.func @concat(%x: vector<2xf32>, %y: f32) -> vector<3xf32> {
  %r = ocl.concat %x, %y : vector<2xf32>, f32 -> vector<3xf32>
  func.return %r : vector<3xf32>
}

// The mask is taken modulo the number of elements.
// CHECK:      func.func @shuffle(%x: vector<4xf32>, %mask: vector<2xi32>) -> vector<2xf32> {
// CHECK-NEXT:   %0 = arith.constant dense<3> : vector<2xi32>
// CHECK-NEXT:   %1 = arith.andi %mask, %0 : vector<2xi32>
// CHECK-NEXT:   %2 = vector.extract %1[0] : i32 from vector<2xi32>
// CHECK-NEXT:   %3 = vector.extract %1[1] : i32 from vector<2xi32>
// CHECK-NEXT:   %4 = arith.index_cast %2 : i32 to index
// CHECK-NEXT:   %5 = arith.index_cast %3 : i32 to index
// CHECK-NEXT:   %6 = vector.extract %x[%4] : f32 from vector<4xf32>
// CHECK-NEXT:   %7 = vector.extract %x[%5] : f32 from vector<4xf32>
// CHECK-NEXT:   %8 = ub.poison : vector<2xf32>
// CHECK-NEXT:   %9 = vector.insert %6, %8 [0] : f32 into vector<2xf32>
// CHECK-NEXT:   %r = vector.insert %7, %9 [1] : f32 into vector<2xf32>
// CHECK-NEXT:   func.return %r : vector<2xf32>
// CHECK-NEXT: }
func.func @shuffle(%x: vector<4xf32>, %mask: vector<2xi32>) -> vector<2xf32> {
  %r = ocl.shuffle %x, %mask : vector<4xf32>, vector<2xi32> -> vector<2xf32>
  func.return %r : vector<2xf32>
}

// CHECK:      func.func @shuffle2(%x: vector<2xf32>, %y: vector<2xf32>, %mask: vector<2xi32>) -> vector<2xf32> {
// CHECK-NEXT:   %0 = vector.shuffle %x, %y [0, 1, 2, 3] : vector<2xf32>, vector<2xf32>
// CHECK-NEXT:   %1 = arith.constant dense<3> : vector<2xi32>
// CHECK-NEXT:   %2 = arith.andi %mask, %1 : vector<2xi32>
// CHECK-NEXT:   %3 = vector.extract %2[0] : i32 from vector<2xi32>
// CHECK-NEXT:   %4 = vector.extract %2[1] : i32 from vector<2xi32>
// CHECK-NEXT:   %5 = arith.index_cast %3 : i32 to index
// CHECK-NEXT:   %6 = arith.index_cast %4 : i32 to index
// CHECK-NEXT:   %7 = vector.extract %0[%5] : f32 from vector<4xf32>
// CHECK-NEXT:   %8 = vector.extract %0[%6] : f32 from vector<4xf32>
// CHECK-NEXT:   %9 = ub.poison : vector<2xf32>
// CHECK-NEXT:   %10 = vector.insert %7, %9 [0] : f32 into vector<2xf32>
// CHECK-NEXT:   %r = vector.insert %8, %10 [1] : f32 into vector<2xf32>
// CHECK-NEXT:   func.return %r : vector<2xf32>
// CHECK-NEXT: }
func.func @shuffle2(%x: vector<2xf32>, %y: vector<2xf32>, %mask: vector<2xi32>) -> vector<2xf32> {
  %r = ocl.shuffle2 %x, %y, %mask : vector<2xf32>, vector<2xi32> -> vector<2xf32>
  func.return %r : vector<2xf32>
}

// A reinterpretation stays.
// CHECK:      func.func @bitcast(%x: vector<4xi8>) -> i32 {
// CHECK-NEXT:   %r = ocl.bitcast %x : vector<4xi8> to i32
// CHECK-NEXT:   func.return %r : i32
// CHECK-NEXT: }
func.func @bitcast(%x: vector<4xi8>) -> i32 {
  %r = ocl.bitcast %x : vector<4xi8> to i32
  func.return %r : i32
}

// A mask that is a literal of constants: -1 is 3 modulo 4, and the literal is gone.
// CHECK:      func.func @shuffle_known(%x: vector<4xf32>) -> vector<2xf32> {
// CHECK-NEXT:   %last = arith.constant -1 : i32
// CHECK-NEXT:   %c4 = arith.constant 4 : i32
// CHECK-NEXT:   %r = vector.shuffle %x, %x [3, 0] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT:   func.return %r : vector<2xf32>
// CHECK-NEXT: }
func.func @shuffle_known(%x: vector<4xf32>) -> vector<2xf32> {
  %last = arith.constant -1 : i32
  %c4 = arith.constant 4 : i32
  %mask = ocl.concat %last, %c4 : i32, i32 -> vector<2xi32>
  %r = ocl.shuffle %x, %mask : vector<4xf32>, vector<2xi32> -> vector<2xf32>
  func.return %r : vector<2xf32>
}
