// RUN: ocl-opt %s -p tta-hoist-invariants | filecheck %s

// CHECK:      func.func @f(%a: i32, %n: index, %p: !ocl.ptr<i64, global>) {
// CHECK:        %x = arith.extsi %a : i32 to i64
// CHECK-NEXT:   scf.for %i = %c0 to %n step %c1 {
// CHECK-NEXT:     ocl.store %x, %p[%i] : !ocl.ptr<i64, global>
func.func @f(%a: i32, %n: index, %p: !ocl.ptr<i64, global>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = arith.extsi %a : i32 to i64
    ocl.store %x, %p[%i] : !ocl.ptr<i64, global>
  }
  func.return
}
