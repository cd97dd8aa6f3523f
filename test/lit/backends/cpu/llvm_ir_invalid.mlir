// RUN: ocl-opt %s -t llvm-ir --split-input-file --verify-diagnostics | filecheck %s

// CHECK: 'func.func' is not in the LLVM dialect: run convert-to-llvm first
func.func @f() {
  func.return
}
