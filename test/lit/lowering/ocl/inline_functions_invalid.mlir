// RUN: ocl-opt %s -p inline-functions --split-input-file --verify-diagnostics | filecheck %s

// CHECK: recursion is not allowed in OpenCL C: f -> g -> f
func.func private @f() {
  func.call @g() : () -> ()
  func.return
}
func.func private @g() {
  func.call @f() : () -> ()
  func.return
}
ocl.kernel @cycle() {
  func.call @f() : () -> ()
  ocl.return
}

// -----

// CHECK: recursion is not allowed in OpenCL C: self -> self
func.func private @self() {
  func.call @self() : () -> ()
  func.return
}
ocl.kernel @own() {
  func.call @self() : () -> ()
  ocl.return
}

// -----

// CHECK: call of @nowhere, which is not defined in this program
func.func private @nowhere()
ocl.kernel @calls() {
  func.call @nowhere() : () -> ()
  ocl.return
}

// -----

// CHECK: function 'blocks' branches between blocks; only structured control flow can be inlined: run lift-cf-to-scf before inline-functions
func.func private @blocks() {
  cf.br ^end
^end:
  func.return
}
ocl.kernel @unstructured() {
  func.call @blocks() : () -> ()
  ocl.return
}
