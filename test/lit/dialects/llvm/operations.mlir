// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

func.func @all(%x: vector<4xf32>, %n: i64, %at: vector<4xi64>, %p: !llvm.ptr, %v: i32) {
  // CHECK: %0 = llvm_ext.fptosi %x : vector<4xf32> to vector<4xi32>
  %0 = llvm_ext.fptosi %x : vector<4xf32> to vector<4xi32>
  // CHECK-NEXT: %1 = llvm_ext.fptoui %x : vector<4xf32> to vector<4xi32>
  %1 = llvm_ext.fptoui %x : vector<4xf32> to vector<4xi32>
  // CHECK-NEXT: %2 = llvm_ext.uitofp %1 : vector<4xi32> to vector<4xf32>
  %2 = llvm_ext.uitofp %1 : vector<4xi32> to vector<4xf32>
  // CHECK-NEXT: %3 = llvm_ext.fcmp "olt" %x, %2 : vector<4xf32> -> vector<4xi1>
  %3 = llvm_ext.fcmp "olt" %x, %2 : vector<4xf32> -> vector<4xi1>
  // CHECK-NEXT: %4 = llvm_ext.select %3, %x, %2 : vector<4xi1>, vector<4xf32>
  %4 = llvm_ext.select %3, %x, %2 : vector<4xi1>, vector<4xf32>
  // CHECK-NEXT: %5 = llvm_ext.extractelement %4[%n : i64] : vector<4xf32> -> f32
  %5 = llvm_ext.extractelement %4[%n : i64] : vector<4xf32> -> f32
  // CHECK-NEXT: %6 = llvm_ext.mlir.poison : vector<4xf32>
  %6 = llvm_ext.mlir.poison : vector<4xf32>
  // CHECK-NEXT: %pointers = llvm_ext.lane_pointers %at : vector<4xi64> -> vector<4x!llvm.ptr>
  %pointers = llvm_ext.lane_pointers %at : vector<4xi64> -> vector<4x!llvm.ptr>
  // CHECK-NEXT: %7 = llvm_ext.volatile_load %p {alignment = 4 : i64} : !llvm.ptr -> f32
  %7 = llvm_ext.volatile_load %p {alignment = 4 : i64} : !llvm.ptr -> f32
  // CHECK-NEXT: %8 = llvm_ext.atomicrmw "add" %p, %v "seq_cst" : !llvm.ptr, i32
  %8 = llvm_ext.atomicrmw "add" %p, %v "seq_cst" : !llvm.ptr, i32
  // CHECK-NEXT: %9 = llvm_ext.cmpxchg %p, %8, %v "seq_cst" "seq_cst" : !llvm.ptr, i32 -> !llvm.struct<(i32, i1)>
  %9 = llvm_ext.cmpxchg %p, %8, %v "seq_cst" "seq_cst" : !llvm.ptr, i32 -> !llvm.struct<(i32, i1)>
  // CHECK-NEXT: %10 = llvm_ext.freeze %4 : vector<4xf32>
  %10 = llvm_ext.freeze %4 : vector<4xf32>
  // CHECK-NEXT: llvm_ext.fence "acq_rel"
  llvm_ext.fence "acq_rel"
  func.return
}
