// RUN: ocl-opt %s -p lift-cf-to-scf --split-input-file --verify-diagnostics | filecheck %s

// CHECK: a block ends in 'llvm.br'; expected cf.br, cf.cond_br, cf.switch, ocl.return, func.return or ub.unreachable
func.func @other_branch() {
  "llvm.br"()[^end] : () -> ()
^end:
  func.return
}
