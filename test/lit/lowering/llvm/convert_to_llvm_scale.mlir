// RUN: ocl-opt %s -p convert-to-llvm | filecheck %s

// A product with a power of two is an instruction of AVX-512. A scalar is in the lowest lane.
func.func @registers(%x: f32, %v: vector<16xf32>, %w: vector<4xf64>) {
  %a = vec.scale %x, %x : f32
  %b = vec.scale %v, %v : vector<16xf32>
  %c = vec.scale %w, %w : vector<4xf64>
  func.return
}
// CHECK-LABEL: llvm.func @registers
// CHECK:         llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.128"({{.*}}) : (vector<4xf32>, vector<4xf32>, vector<4xf32>, i8) -> vector<4xf32>
// CHECK:         %a = llvm_ext.extractelement
// CHECK:         llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"(%v, %v, {{.*}}) : (vector<16xf32>, vector<16xf32>, vector<16xf32>, i16, i32) -> vector<16xf32>
// CHECK:         llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.pd.256"(%w, %w, {{.*}}) : (vector<4xf64>, vector<4xf64>, vector<4xf64>, i8) -> vector<4xf64>

// Three elements are in a register of four, and more than a register holds are in two.
func.func @others(%v: vector<3xf32>, %w: vector<16xf64>) -> vector<16xf64> {
  %a = vec.scale %v, %v : vector<3xf32>
  %b = vec.scale %w, %w : vector<16xf64>
  func.return %b : vector<16xf64>
}
// CHECK-LABEL: llvm.func @others
// CHECK:         llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.128"
// CHECK:         %a{{.*}} = llvm.shufflevector %{{.*}}, %{{.*}} [0, 1, 2] : vector<4xf32>
// CHECK:         %[[FIRST:.*]] = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.pd.512"
// CHECK:         %[[SECOND:.*]] = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.pd.512"
// CHECK-NEXT:    %b{{.*}} = llvm.shufflevector %[[FIRST]], %[[SECOND]] [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xf64>
