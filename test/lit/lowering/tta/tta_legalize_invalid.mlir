// RUN: ocl-opt %s -p tta-legalize --split-input-file --verify-diagnostics | filecheck %s

// CHECK: 'arith.addf' on f64 is left: run tta-expand-arith before
func.func @k(%args: !ocl.ptr<f64, global>, %s: !ocl.ptr<i8, global>, %b: index, %e: index) {
  %v = ocl.load %args : !ocl.ptr<f64, global>
  %w = arith.addf %v, %v : f64
  func.return
}

// -----

// CHECK: the processor has no 'mul', which 'arith.muli' needs: run tta-expand-arith before
func.func @k(%args: !ocl.ptr<i32, global>, %s: !ocl.ptr<i8, global>, %b: index, %e: index) {
  %v = ocl.load %args : !ocl.ptr<i32, global>
  %w = arith.muli %v, %v : i32
  func.return
}

// -----

// CHECK: sizes and indices have 32 bits on this processor, got 8589934592
func.func @k(%args: !ocl.ptr<i32, global>, %s: !ocl.ptr<i8, global>, %b: index, %e: index) {
  %v = arith.constant 8589934592 : index
  func.return
}
