// RUN: ocl-opt %s -p tta-narrow-indices,remove-dead-values | filecheck %s

// Only the lower half of the product is used: it is one of indices.
// CHECK-LABEL: func.func @row
// CHECK-NOT:     i64
// CHECK:         %[[WIDTH:.*]] = arith.index_cast %width : i32 to index
// CHECK-NOT:     i64
// CHECK:         %[[ROW:.*]] = arith.muli %group, %[[WIDTH]] : index
// CHECK-NOT:     i64
// CHECK:         %[[AT:.*]] = arith.addi %[[ROW]], %x : index
// CHECK-NOT:     i64
// CHECK:         ocl.store %v, %a[%[[AT]]]
func.func @row(%a: !ocl.ptr<f32, global>, %group: index, %x: index, %width: i32, %v: f32) {
  %0 = arith.index_cast %group : index to i64
  %1 = arith.extsi %width : i32 to i64
  %2 = arith.muli %0, %1 : i64
  %3 = arith.index_cast %x : index to i64
  %4 = arith.addi %2, %3 : i64
  %5 = arith.index_cast %4 : i64 to index
  ocl.store %v, %a[%5] : !ocl.ptr<f32, global>
  func.return
}

// All of the sum is stored, too: nothing changes.
// CHECK-LABEL: func.func @number
// CHECK:         arith.addi %{{.*}}, %n : i64
func.func @number(%a: !ocl.ptr<i64, global>, %group: index, %n: i64) {
  %0 = arith.index_cast %group : index to i64
  %1 = arith.addi %0, %n : i64
  %2 = arith.index_cast %1 : i64 to index
  ocl.store %1, %a[%2] : !ocl.ptr<i64, global>
  func.return
}
