// RUN: ocl-opt %s -p "convert-to-llvm{masks=false}" | filecheck %s
// RUN: ocl-opt %s -p "convert-to-llvm" | filecheck %s --check-prefix=MASKS

// Without masks in the processor, all from the first active lane to the last is read at once.
func.func @read(%p: !ocl.ptr<i8, global>, %i: index) -> vector<8xi8> {
  %m = arith.constant dense<[0, 1, 0, 0, 1, 0, 0, 0]> : vector<8xi1>
  %v = wg.load %p[%i] mask %m : vector<8xi1> : !ocl.ptr<i8, global> -> vector<8xi8>
  func.return %v : vector<8xi8>
}

// Neighbouring active lanes are written at once.
func.func @write(%p: !ocl.ptr<f32, global>, %i: index, %v: vector<8xf32>) {
  %m = arith.constant dense<[0, 1, 1, 0, 0, 1, 1, 1]> : vector<8xi1>
  wg.store %v, %p[%i] mask %m : vector<8xi1> : vector<8xf32>, !ocl.ptr<f32, global>
  func.return
}

// A mask that is not constant stays.
func.func @any(%p: !ocl.ptr<f32, global>, %i: index, %m: vector<8xi1>) -> vector<8xf32> {
  %v = wg.load %p[%i] mask %m : vector<8xi1> : !ocl.ptr<f32, global> -> vector<8xf32>
  func.return %v : vector<8xf32>
}

// A mask without an active lane: nothing is written.
func.func @none(%p: !ocl.ptr<f32, global>, %i: index, %v: vector<4xf32>) {
  %m = arith.constant dense<0> : vector<4xi1>
  wg.store %v, %p[%i] mask %m : vector<4xi1> : vector<4xf32>, !ocl.ptr<f32, global>
  func.return
}

// What some lanes keep is stored without a mask, too, which LLVM would make of it.
func.func @kept(%p: !ocl.ptr<f32, global>, %i: index, %m: vector<8xi1>, %v: vector<8xf32>) {
  %old = wg.load %p[%i] : !ocl.ptr<f32, global> -> vector<8xf32>
  %new = vec.select %m, %v, %old : vector<8xi1>, vector<8xf32>
  wg.store %new, %p[%i] : vector<8xf32>, !ocl.ptr<f32, global>
  func.return
}

// CHECK-LABEL: llvm.func @read(%p: !llvm.ptr, %i: i64) -> vector<8xi8> {
// CHECK-NEXT:        %m = llvm.mlir.constant(dense<[false, true, false, false, true, false, false, false]> : vector<8xi1>) : vector<8xi1>
// CHECK-NEXT:        %0 = llvm.getelementptr inbounds %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK-NEXT:        %1 = llvm.getelementptr inbounds %0[1] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:        %2 = llvm.load %1 {alignment = 1 : i64} : !llvm.ptr -> vector<4xi8>
// CHECK-NEXT:        %3 = llvm.mlir.constant(dense<0> : vector<4xi8>) : vector<4xi8>
// CHECK-NEXT:        %v = llvm.shufflevector %2, %3 [4, 0, 1, 2, 3, 4, 4, 4] : vector<4xi8>
// CHECK-NEXT:        llvm.return %v : vector<8xi8>
// CHECK-NEXT:      }
// CHECK-LABEL: llvm.func @write(%p_1: !llvm.ptr, %i_1: i64, %v_1: vector<8xf32>) {
// CHECK-NEXT:        %m_1 = llvm.mlir.constant(dense<[false, true, true, false, false, true, true, true]> : vector<8xi1>) : vector<8xi1>
// CHECK-NEXT:        %4 = llvm.getelementptr inbounds %p_1[%i_1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:        %5 = llvm.shufflevector %v_1, %v_1 [1, 2] : vector<8xf32>
// CHECK-NEXT:        %6 = llvm.getelementptr inbounds %4[4] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:        llvm.store %5, %6 {alignment = 4 : i64} : vector<2xf32>, !llvm.ptr
// CHECK-NEXT:        %7 = llvm.shufflevector %v_1, %v_1 [5, 6, 7] : vector<8xf32>
// CHECK-NEXT:        %8 = llvm.getelementptr inbounds %4[20] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:        llvm.store %7, %8 {alignment = 4 : i64} : vector<3xf32>, !llvm.ptr
// CHECK-NEXT:        llvm.return
// CHECK-NEXT:      }
// CHECK-LABEL: llvm.func @any(%p_2: !llvm.ptr, %i_2: i64, %m_2: vector<8xi1>) -> vector<8xf32> {
// CHECK-NEXT:        %9 = llvm.getelementptr inbounds %p_2[%i_2] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:        %10 = llvm.mlir.constant(dense<0.000000e+00> : vector<8xf32>) : vector<8xf32>
// CHECK-NEXT:        %v_2 = llvm.call_intrinsic "llvm.masked.load.v8f32.p0"(%9, %m_2, %10) : (!llvm.ptr, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
// CHECK-NEXT:        llvm.return %v_2 : vector<8xf32>
// CHECK-NEXT:      }
// CHECK-LABEL: llvm.func @none(%p_3: !llvm.ptr, %i_3: i64, %v_3: vector<4xf32>) {
// CHECK-NEXT:        %m_3 = llvm.mlir.constant(dense<false> : vector<4xi1>) : vector<4xi1>
// CHECK-NEXT:        %11 = llvm.getelementptr inbounds %p_3[%i_3] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:        llvm.return
// CHECK-NEXT:      }
// CHECK-LABEL: llvm.func @kept(%p_4: !llvm.ptr, %i_4: i64, %m_4: vector<8xi1>, %v_4: vector<8xf32>) {
// CHECK-NEXT:        %12 = llvm.getelementptr inbounds %p_4[%i_4] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:        %old = llvm.load %12 {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
// CHECK-NEXT:        %new = llvm_ext.select %m_4, %v_4, %old : vector<8xi1>, vector<8xf32>
// CHECK-NEXT:        %13 = llvm.getelementptr inbounds %p_4[%i_4] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:        %14 = llvm_ext.freeze %new : vector<8xf32>
// CHECK-NEXT:        llvm.store %14, %13 {alignment = 4 : i64} : vector<8xf32>, !llvm.ptr
// CHECK-NEXT:        llvm.return
// CHECK-NEXT:      }
// CHECK-NEXT:    }

// MASKS: llvm.masked.load.v8i8
// MASKS: llvm.masked.store.v8f32
// MASKS: llvm.masked.load.v8f32
// MASKS: llvm.masked.store.v4f32
// MASKS-NOT: llvm_ext.freeze
