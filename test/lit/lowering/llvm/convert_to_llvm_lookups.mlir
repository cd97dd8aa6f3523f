// RUN: ocl-opt %s -p "convert-to-llvm{lookups=512}" | filecheck %s
// RUN: ocl-opt %s -p "convert-to-llvm{lookups=256}" | filecheck %s --check-prefix=AVX2
// RUN: ocl-opt %s -p convert-to-llvm | filecheck %s --check-prefix=MEMORY

// AVX-512 chooses by a register of indices among the numbers of one register, which holds the table
// once or several times. An instruction of AVX2 has half of them: the next bit of an index chooses.
func.func @one_register(%i: vector<16xi32>) -> vector<16xf32> {
  %y = vec.lookup %i in array<f32: 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0> : vector<16xi32> to vector<16xf32>
  func.return %y : vector<16xf32>
}
// CHECK-LABEL: llvm.func @one_register(
// CHECK:         llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%{{.*}}, %{{.*}}) : (vector<16xf32>, vector<16xi32>) -> vector<16xf32>
// CHECK-NEXT:    llvm.return
// AVX2-LABEL:  llvm.func @one_register(
// AVX2:          %[[HALF:.*]] = llvm.shufflevector %{{.*}}, %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7] : vector<16xi32>
// AVX2-COUNT-2:  llvm.call_intrinsic "llvm.x86.avx2.permps"
// AVX2:          llvm.icmp "ne"
// AVX2:          llvm_ext.select

// More lanes than a register has are in several, fewer in one with undefined ones. A table may be in
// two registers. AVX2 moves the halves of numbers of 64 bits.
func.func @sizes(%i: vector<3xi64>) -> vector<3xf64> {
  %y = vec.lookup %i in array<f64: 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0> : vector<3xi64> to vector<3xf64>
  func.return %y : vector<3xf64>
}
// CHECK-LABEL: llvm.func @sizes(
// CHECK:         %[[I:.*]] = llvm.shufflevector %{{.*}}, %{{.*}} [0, 1, 2, -1, -1, -1, -1, -1] : vector<3xi64>
// CHECK:         %[[Y:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.pd.512"(%{{.*}}, %[[I]], %{{.*}})
// CHECK:         llvm.shufflevector %[[Y]], %{{.*}} [0, 1, 2] : vector<8xf64>
// AVX2-LABEL:  llvm.func @sizes(
// AVX2-COUNT-4:  llvm.call_intrinsic "llvm.x86.avx2.permd"

// A scalar is loaded.
func.func @scalar(%i: i32) -> f32 {
  %y = vec.lookup %i in array<f32: 1.0, 2.0> : i32 to f32
  func.return %y : f32
}
// CHECK-LABEL: llvm.func @scalar(
// CHECK:         %[[ONE:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:    %[[AT:.*]] = llvm.and %{{.*}}, %[[ONE]] : i32
// CHECK:         llvm.mlir.addressof @polycl.table.
// CHECK:         llvm.load

// Without such an instruction each lane loads.
// MEMORY-LABEL: llvm.func @sizes(
// MEMORY-COUNT-3: llvm.load
// MEMORY:         llvm.return
