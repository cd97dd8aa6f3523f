// RUN: ocl-opt -p tta-count-groups %s | filecheck %s
// RUN: ocl-opt -p "tta-count-groups{whole=true}" %s | filecheck %s --check-prefix=WHOLE
// The ids of a group in two dimensions, and where its rows begin: no division goes on in the loop.

// In a whole launch all of them begin with 0.
// WHOLE-LABEL: func.func @groups
// WHOLE-NEXT:    %[[zero:.*]] = arith.constant 0 : index
// WHOLE-NOT:     arith.remui
// WHOLE-NOT:     arith.divui
// WHOLE:         scf.for %group = %[[zero]] to %end step %c1 iter_args(%{{.*}} = %[[zero]], %{{.*}} = %[[zero]], %{{.*}} = %[[zero]])

// CHECK-LABEL: func.func @groups
// CHECK:         arith.remui %begin, %nx
// CHECK:         scf.for %group = %begin to %end step %c1 iter_args(
// CHECK-NOT:       arith.remui
// CHECK-NOT:       arith.divui
// CHECK-NOT:       arith.muli
// CHECK:           "test.op"
// CHECK:           [[NEXT:%\w+]] = arith.addi {{%\w+}}, %c1 : index
// CHECK:           [[LAST:%\w+]] = arith.cmpi eq, [[NEXT]], %nx : index
// CHECK:           arith.select [[LAST]]
// CHECK:           scf.yield
func.func @groups(%args: index, %scratch: index, %begin: index, %end: index, %nx: index, %width: index) {
  %c1 = arith.constant 1 : index
  scf.for %group = %begin to %end step %c1 {
    %x = arith.remui %group, %nx : index
    %y = arith.divui %group, %nx : index
    %row = arith.muli %y, %width : index
    "test.op"(%x, %row) : (index, index) -> ()
  }
  func.return
}
