// RUN: ocl-opt -p tta-share-addresses,remove-dead-values %s | filecheck %s
// Two work-items of a row: one address, and the constants 0 and 1.

// CHECK-LABEL: func.func @row
// CHECK:         [[ROW:%\w+]] = ocl.offset %a[%row]
// CHECK:         ocl.load [[ROW]][%c1] : !ocl.ptr<f32, global>
// CHECK:         ocl.load [[ROW]][{{%\w+}}] : !ocl.ptr<f32, global>
func.func @row(%a: !ocl.ptr<f32, global>, %row: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.addi %c1, %c1 : index
  %i = arith.addi %row, %c1 : index
  %j = arith.addi %row, %c2 : index
  %v = ocl.load %a[%i] : !ocl.ptr<f32, global>
  %w = ocl.load %a[%j] : !ocl.ptr<f32, global>
  "test.op"(%v, %w) : (f32, f32) -> ()
  func.return
}
