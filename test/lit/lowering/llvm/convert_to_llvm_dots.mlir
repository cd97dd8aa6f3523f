// RUN: ocl-opt %s -p convert-to-llvm | filecheck %s

// The instruction multiplies unsigned by signed bytes: first those of x, then those of y.

func.func @different(%x: vector<16xi32>, %y: vector<16xi32>) -> vector<16xi32> {
  %r = ocl.builtin "dot_4x8packed_us_int"(%x, %y) : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
  func.return %r : vector<16xi32>
}

// CHECK-LABEL: @different
// CHECK:         [[X:%.*]] = llvm.bitcast %x : vector<16xi32> to vector<64xi8>
// CHECK-NEXT:    [[Y:%.*]] = llvm.bitcast %y : vector<16xi32> to vector<64xi8>
// CHECK:         %r = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, [[X]], [[Y]])

// 128 is added to the bytes of x, and 128 times the sum of the bytes of y subtracted again. A number
// alone is one of four.

func.func @both_signed(%x: i32, %y: i32) -> i32 {
  %r = ocl.builtin "dot_4x8packed_ss_int"(%x, %y) : (i32, i32) -> i32
  func.return %r : i32
}

// CHECK-LABEL: @both_signed
// CHECK:         [[TOP:%.*]] = llvm.mlir.constant(dense<-2139062144> : vector<4xi32>) : vector<4xi32>
// CHECK:         [[MOVED:%.*]] = llvm.xor %{{.*}}, [[TOP]] : vector<4xi32>
// CHECK:         [[ALL:%.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.128
// CHECK:         [[MORE:%.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.128
// CHECK:         [[DIFFERENCE:%.*]] = llvm.sub [[ALL]], [[MORE]] : vector<4xi32>
