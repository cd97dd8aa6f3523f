// RUN: ocl-opt %s -t llvm-ir --split-input-file --verify-diagnostics | filecheck %s

// CHECK: 'func.func' is not of the LLVM dialect: run convert-to-llvm before
func.func @f() {
  func.return
}
