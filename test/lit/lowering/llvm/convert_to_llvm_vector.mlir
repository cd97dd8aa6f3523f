// RUN: ocl-opt %s -p convert-to-llvm --split-input-file | filecheck %s

// Elements, shuffles and reinterpretation.

func.func @elements(%v: vector<4xf32>, %x: f32, %i: index) -> f32 {
  %a = vector.insert %x, %v[2] : f32 into vector<4xf32>
  %b = vector.broadcast %x : f32 to vector<4xf32>
  %c = arith.mulf %a, %b : vector<4xf32>
  %d = vector.extract %c[%i] : f32 from vector<4xf32>
  func.return %d : f32
}

// CHECK-LABEL: llvm.func @elements(%v: vector<4xf32>, %x: f32, %i: i64) -> f32 {
// CHECK-NEXT:    %0 = llvm.mlir.constant(2) : i64
// CHECK-NEXT:    %a = llvm.insertelement %x, %v[%0 : i64] : vector<4xf32>
// CHECK-NEXT:    %1 = llvm_ext.mlir.poison : vector<4xf32>
// CHECK-NEXT:    %2 = llvm.mlir.constant(0) : i64
// CHECK-NEXT:    %3 = llvm.insertelement %x, %1[%2 : i64] : vector<4xf32>
// CHECK-NEXT:    %4 = llvm_ext.mlir.poison : vector<4xf32>
// CHECK-NEXT:    %b = llvm.shufflevector %3, %4 [0, 0, 0, 0] : vector<4xf32>
// CHECK-NEXT:    %c = llvm.fmul %a, %b {fastmathFlags = #llvm.fastmath<contract>} : vector<4xf32>
// CHECK-NEXT:    %d = llvm_ext.extractelement %c[%i : i64] : vector<4xf32> -> f32
// CHECK-NEXT:    llvm.return %d : f32
// CHECK-NEXT:  }

// -----

// LLVM shuffles vectors of one length: the shorter one is filled up.
func.func @shuffles(%v: vector<2xi32>, %w: vector<4xi32>) -> vector<3xi32> {
  %a = vector.shuffle %v, %v [1, 0] : vector<2xi32>, vector<2xi32>
  %b = vector.shuffle %a, %w [0, 2, 5] : vector<2xi32>, vector<4xi32>
  func.return %b : vector<3xi32>
}

// CHECK-LABEL: llvm.func @shuffles(%v: vector<2xi32>, %w: vector<4xi32>) -> vector<3xi32> {
// CHECK-NEXT:    %a = llvm.shufflevector %v, %v [1, 0] : vector<2xi32>
// CHECK-NEXT:    %0 = llvm_ext.mlir.poison : vector<2xi32>
// CHECK-NEXT:    %1 = llvm.shufflevector %a, %0 [0, 1, -1, -1] : vector<2xi32>
// CHECK-NEXT:    %b = llvm.shufflevector %1, %w [0, 4, 7] : vector<4xi32>
// CHECK-NEXT:    llvm.return %b : vector<3xi32>
// CHECK-NEXT:  }

// -----

// An element at another place of a vector is a shuffle.
func.func @moved(%v: vector<3xf64>, %w: vector<3xf64>) -> vector<3xf64> {
  %a = vector.extract %v[1] : f64 from vector<3xf64>
  %b = vector.insert %a, %w[0] : f64 into vector<3xf64>
  func.return %b : vector<3xf64>
}

// CHECK-LABEL: llvm.func @moved
// CHECK:         %b = llvm.shufflevector %w, %v [4, 1, 2] : vector<3xf64>
// CHECK-NEXT:    llvm.return %b : vector<3xf64>

// -----

// A vector of 3 elements has the bits of 4; the last ones are undefined.
func.func @reinterpret(%v: vector<3xi32>, %w: vector<4xi8>) -> vector<3xf32> {
  %a = ocl.bitcast %v : vector<3xi32> to vector<3xf32>
  %b = ocl.bitcast %w : vector<4xi8> to i32
  %c = ocl.bitcast %v : vector<3xi32> to vector<2xf64>
  %u = ub.poison : vector<3xf32>
  func.return %a : vector<3xf32>
}

// CHECK-LABEL: llvm.func @reinterpret(%v: vector<3xi32>, %w: vector<4xi8>) -> vector<3xf32> {
// CHECK-NEXT:    %a = llvm.bitcast %v : vector<3xi32> to vector<3xf32>
// CHECK-NEXT:    %b = llvm.bitcast %w : vector<4xi8> to i32
// CHECK-NEXT:    %0 = llvm_ext.mlir.poison : vector<3xi32>
// CHECK-NEXT:    %1 = llvm.shufflevector %v, %0 [0, 1, 2, -1] : vector<3xi32>
// CHECK-NEXT:    %c = llvm.bitcast %1 : vector<4xi32> to vector<2xf64>
// CHECK-NEXT:    %u = llvm_ext.mlir.poison : vector<3xf32>
// CHECK-NEXT:    llvm.return %a : vector<3xf32>
// CHECK-NEXT:  }

// -----

// Vectors have no division of integers: up to 32 bits, it is a product with the inverse in floats
// that hold the dividend and half of one more.
func.func @divisions(%a: vector<4xi32>, %b: vector<4xi32>) -> vector<4xi32> {
  %q = arith.remui %a, %b : vector<4xi32>
  func.return %q : vector<4xi32>
}

// CHECK-LABEL: llvm.func @divisions(
// CHECK:         %[[B:.*]] = llvm_ext.select
// CHECK-NEXT:    %[[X:.*]] = llvm_ext.uitofp %a : vector<4xi32> to vector<4xf64>
// CHECK-NEXT:    %[[Y:.*]] = llvm_ext.uitofp %[[B]] : vector<4xi32> to vector<4xf64>
// CHECK-NEXT:    %[[HALF:.*]] = llvm.mlir.constant(dense<5.000000e-01> : vector<4xf64>) : vector<4xf64>
// CHECK-NEXT:    %[[ONE:.*]] = llvm.mlir.constant(dense<1.000000e+00> : vector<4xf64>) : vector<4xf64>
// CHECK-NEXT:    %[[INVERSE:.*]] = llvm.fdiv %[[ONE]], %[[Y]] : vector<4xf64>
// CHECK-NEXT:    %[[MOVED:.*]] = llvm.fadd %[[X]], %[[HALF]] : vector<4xf64>
// CHECK-NEXT:    %[[PRODUCT:.*]] = llvm.fmul %[[MOVED]], %[[INVERSE]] : vector<4xf64>
// CHECK-NEXT:    %[[Q:.*]] = llvm_ext.fptoui %[[PRODUCT]] : vector<4xf64> to vector<4xi32>
// CHECK-NEXT:    %[[BACK:.*]] = llvm.mul %[[Q]], %[[B]] : vector<4xi32>
// CHECK-NEXT:    %q = llvm.sub %a, %[[BACK]] : vector<4xi32>

// -----

// LLVM divides by a constant, which may be in all elements.
func.func @by_constant(%a: vector<4xi32>) -> vector<4xi32> {
  %c = arith.constant 256 : i32
  %b = vector.broadcast %c : i32 to vector<4xi32>
  %q = arith.divsi %a, %b : vector<4xi32>
  func.return %q : vector<4xi32>
}

// CHECK-LABEL: llvm.func @by_constant(
// CHECK:         %q = llvm.sdiv %a, %b : vector<4xi32>
