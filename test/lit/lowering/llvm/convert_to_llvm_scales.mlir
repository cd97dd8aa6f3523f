// RUN: ocl-opt %s -p "expand-math,convert-to-llvm{scales=true}" | filecheck %s
// RUN: ocl-opt %s -p expand-math,convert-to-llvm | filecheck %s --check-prefix=PLAIN

// e^x = 2^n p: the product of vectors with 2^n is one instruction of AVX-512. Without the option, a
// quarter of n is added to the bits of p, and the other factor is 2 to the power of the rest.
// PLAIN-NOT: scalef
func.func @exp(%x: vector<16xf32>) -> vector<16xf32> {
  %y = math.exp %x : vector<16xf32>
  func.return %y : vector<16xf32>
}
// CHECK-LABEL: llvm.func @exp(
// CHECK:         %[[N:.*]] = llvm.fsub %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK:         %y = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (vector<16xf32>, vector<16xf32>, vector<16xf32>, i16, i32) -> vector<16xf32>
// CHECK-NEXT:    llvm.return %y

// Three elements are in a register of four, and more than a register holds are in two.
func.func @sizes(%x: vector<3xf32>, %y: vector<16xf64>) -> vector<16xf64> {
  %a = math.exp2 %x : vector<3xf32>
  %b = math.exp %y : vector<16xf64>
  func.return %b : vector<16xf64>
}
// CHECK-LABEL: llvm.func @sizes
// CHECK:         %[[A:.*]] = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.128"
// CHECK:         llvm.shufflevector %[[A]], %{{.*}} [0, 1, 2] : vector<4xf32>
// CHECK:         %[[FIRST:.*]] = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.pd.512"
// CHECK:         %[[SECOND:.*]] = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.pd.512"
// CHECK-NEXT:    llvm.shufflevector %[[FIRST]], %[[SECOND]] [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xf64>

// Scalars stay arithmetic, of which LLVM may make vectors.
func.func @scalar(%x: f32) -> f32 {
  %y = math.exp %x : f32
  func.return %y : f32
}
// CHECK-LABEL: llvm.func @scalar
// CHECK-NOT:     scalef
// CHECK:         %y{{.*}} = llvm.call_intrinsic "llvm.fma.f32"
