// RUN: ocl-opt %s -p wg-interchange --split-input-file --verify-diagnostics | filecheck %s

// CHECK: call of @f: run inline-functions before ocl-to-wg
func.func private @f()
ocl.kernel @call() {
  func.call @f() : () -> ()
  ocl.return
}

// -----

// CHECK: kernel 'blocks' branches between blocks; a work-group needs structured control flow: run lift-cf-to-scf before ocl-to-wg
ocl.kernel @blocks() {
  cf.br ^end
^end:
  ocl.return
}
