// RUN: ocl-opt %s -p convert-to-llvm --split-input-file --verify-diagnostics | filecheck %s

// CHECK: kernel 'k' is not a function yet: run wg-to-scf and wg-to-launch before convert-to-llvm
ocl.kernel @k() {
  ocl.return
}

// -----

// CHECK: 'scf.if' has no form in LLVM: run scf-to-cf before convert-to-llvm
func.func @structured(%c: i1) {
  scf.if %c {
  }
  func.return
}

// -----

// CHECK: 'ocl.group_id' has no form in LLVM: run ocl-expand-builtins, ocl-to-wg, wg-to-scf and wg-to-launch before convert-to-llvm
func.func @query() {
  %g = ocl.group_id 0 : index
  func.return
}

// -----

// CHECK: builtin 'clamp' has no form in LLVM: run ocl-expand-builtins before
func.func @builtin(%x: f32) {
  %y = ocl.builtin "clamp"(%x, %x, %x) : (f32, f32, f32) -> f32
  func.return
}

// -----

// CHECK: 'memref.alloc' has no form in LLVM
func.func @memref() {
  %m = memref.alloc() : memref<4xf32>
  func.return
}
