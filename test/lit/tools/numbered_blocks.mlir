// RUN: ocl-opt %s | filecheck %s
// Blocks may be called by numbers; texts stay as they are.

// CHECK:      func.func @f() attributes {text = "^0"} {
// CHECK-NEXT:   cf.br ^bb1
// CHECK-NEXT: ^bb1:
func.func @f() attributes {text = "^0"} {
  cf.br ^0
^0: // comes from ^1
  func.return
}
