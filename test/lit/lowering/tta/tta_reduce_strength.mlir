// RUN: ocl-opt -p tta-reduce-strength,remove-dead-values %s | filecheck %s
// The address and the product are linear in the counter: both are carried by the loop.

// CHECK-LABEL: func.func @column
// CHECK:         [[FIRST:%\w+]] = ocl.offset %a[%x]
// CHECK:         scf.for %k = {{.*}} iter_args([[P:%\w+]] = [[FIRST]], [[ROW:%\w+]] = %{{\w+}})
// CHECK-NOT:       arith.muli
// CHECK:           ocl.load [[P]] : !ocl.ptr<f32, global>
// CHECK:           "test.op"({{%\w+}}, [[ROW]])
// CHECK:           arith.addi [[ROW]], %width : index
func.func @column(%a: !ocl.ptr<f32, global>, %n: index, %width: index, %x: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %row = arith.muli %k, %width : index
    %at = arith.addi %row, %x : index
    %v = ocl.load %a[%at] : !ocl.ptr<f32, global>
    "test.op"(%v, %row) : (f32, index) -> ()
  }
  func.return
}

// What does not depend on the counter alone stays.
// CHECK-LABEL: func.func @square
// CHECK:         arith.muli %k, %k
func.func @square(%a: !ocl.ptr<f32, global>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %at = arith.muli %k, %k : index
    %v = ocl.load %a[%at] : !ocl.ptr<f32, global>
    "test.op"(%v) : (f32) -> ()
  }
  func.return
}
