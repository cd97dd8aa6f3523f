// RUN: ocl-opt %s -p scf-to-cf --print-debuginfo | filecheck %s

// What a loop or branch becomes is at its place: the head of a loop, its step, its branches.

// CHECK:        cf.br ^bb1(%c0 : index) loc("k.cl":2:3)
// CHECK-NEXT: ^bb1(%i: index loc({{.*}})):
// CHECK-NEXT:   %0 = arith.cmpi slt, %i, %n : index loc("k.cl":2:3)
// CHECK-NEXT:   cf.cond_br %0, ^bb2, ^bb8 loc("k.cl":2:3)
// CHECK-NEXT: ^bb2:
// CHECK-NEXT:   cf.cond_br %flag, ^bb3, ^bb7 loc("k.cl":3:5)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT:   cf.br ^bb4 loc("k.cl":4:7)
// CHECK-NEXT: ^bb4:
// CHECK-NEXT:   %v = ocl.load %p[%i] : !ocl.ptr<i32, global> loc("k.cl":4:14)
// CHECK-NEXT:   %more = arith.trunci %v : i32 to i1 loc("k.cl":4:14)
// CHECK-NEXT:   cf.cond_br %more, ^bb5, ^bb6 loc("k.cl":4:7)
// CHECK-NEXT: ^bb5:
// CHECK-NEXT:   ocl.store %one, %p[%i] : !ocl.ptr<i32, global> loc("k.cl":4:3)
// CHECK-NEXT:   cf.br ^bb4 loc("k.cl":4:7)
// CHECK-NEXT: ^bb6:
// CHECK-NEXT:   cf.br ^bb7 loc("k.cl":3:5)
// CHECK-NEXT: ^bb7:
// CHECK-NEXT:   %1 = arith.addi %i, %c1 : index loc("k.cl":2:3)
// CHECK-NEXT:   cf.br ^bb1(%1 : index) loc("k.cl":2:3)
// CHECK-NEXT: ^bb8:
// CHECK-NEXT:   func.return loc("k.cl":6:1)
func.func @k(%n: index, %flag: i1, %p: !ocl.ptr<i32, global>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 {
    scf.if %flag {
      scf.while () : () -> () {
        %v = ocl.load %p[%i] : !ocl.ptr<i32, global> loc("k.cl":4:14)
        %more = arith.trunci %v : i32 to i1 loc("k.cl":4:14)
        scf.condition(%more) loc("k.cl":4:14)
      } do {
        ocl.store %one, %p[%i] : !ocl.ptr<i32, global> loc("k.cl":4:3)
        scf.yield loc("k.cl":5:5)
      } loc("k.cl":4:7)
    } loc("k.cl":3:5)
  } loc("k.cl":2:3)
  func.return loc("k.cl":6:1)
} loc("k.cl":1:1)
