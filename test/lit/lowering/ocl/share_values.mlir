// RUN: ocl-opt %s -p share-values | filecheck %s

// A branch uses what was computed before it. What it computes itself is not there after it.
func.func @branches(%x: i32, %y: i32, %c: i1, %p: !ocl.ptr<i32, global>) {
  %a = arith.addi %x, %y : i32
  scf.if %c {
    %b = arith.addi %x, %y : i32
    %d = arith.muli %b, %b : i32
    ocl.store %d, %p : !ocl.ptr<i32, global>
  }
  %e = arith.muli %a, %a : i32
  ocl.store %e, %p : !ocl.ptr<i32, global>
  func.return
}
// CHECK-LABEL: func.func @branches
// CHECK-NEXT:    %a = arith.addi %x, %y : i32
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      %d = arith.muli %a, %a : i32
// CHECK-NEXT:      ocl.store %d, %p
// CHECK-NEXT:    }
// CHECK-NEXT:    %e = arith.muli %a, %a : i32
// CHECK-NEXT:    ocl.store %e, %p

// A store may change what is loaded; a volatile load is an access of its own; an operation with
// other properties computes something else.
func.func @kept(%p: !ocl.ptr<i32, global>, %q: !ocl.ptr<i32, global>, %f: f32) -> (i32, i32, i32, f32, f32) {
  %a = ocl.load %p : !ocl.ptr<i32, global>
  %b = ocl.load %p : !ocl.ptr<i32, global>
  ocl.store %b, %q : !ocl.ptr<i32, global>
  %c = ocl.load %p : !ocl.ptr<i32, global>
  %d = ocl.load volatile %p : !ocl.ptr<i32, global>
  %e = ocl.load volatile %p : !ocl.ptr<i32, global>
  %g = arith.addf %f, %f : f32
  %h = arith.addf %f, %f fastmath<contract> : f32
  func.return %c, %d, %e, %g, %h : i32, i32, i32, f32, f32
}
// CHECK-LABEL: func.func @kept
// CHECK-NEXT:    %a = ocl.load %p : !ocl.ptr<i32, global>
// CHECK-NEXT:    ocl.store %a, %q : !ocl.ptr<i32, global>
// CHECK-NEXT:    %c = ocl.load %p : !ocl.ptr<i32, global>
// CHECK-NEXT:    %d = ocl.load volatile %p : !ocl.ptr<i32, global>
// CHECK-NEXT:    %e = ocl.load volatile %p : !ocl.ptr<i32, global>
// CHECK-NEXT:    %g = arith.addf %f, %f : f32
// CHECK-NEXT:    %h = arith.addf %f, %f fastmath<contract> : f32
