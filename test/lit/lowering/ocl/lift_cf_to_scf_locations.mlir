// RUN: ocl-opt %s -p lift-cf-to-scf --print-debuginfo | filecheck %s

// A loop or branch has the place of the branch that it was; names stay.

// CHECK:      %i = scf.while (%i_1 = %zero) : (i32) -> i32 loc("k.cl":3:3) {
// CHECK-NEXT:   %c = arith.cmpi slt, %i_1, %n : i32 loc("k.cl":3:12)
// CHECK-NEXT:   scf.condition(%c) %i_1 : i32 loc("k.cl":3:3)
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%i_2: i32 loc("k.cl":3:3)):
// CHECK-NEXT:   %k = arith.addi %i_2, %one : i32 loc("k.cl":4:5)
// CHECK-NEXT:   scf.yield %k : i32 loc("k.cl":3:3)
// CHECK-NEXT: } loc("k.cl":3:3)
// CHECK:      ocl.return loc("k.cl":6:1)
ocl.kernel @k(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %zero = arith.constant 0 : i32 loc("k.cl":2:7)
  %one = arith.constant 1 : i32 loc("k.cl":2:7)
  cf.br ^head(%zero : i32) loc("k.cl":3:3)
^head(%i: i32 loc("k.cl":2:7)):
  %c = arith.cmpi slt, %i, %n : i32 loc("k.cl":3:12)
  cf.cond_br %c, ^body, ^end loc("k.cl":3:3)
^body:
  %k = arith.addi %i, %one : i32 loc("k.cl":4:5)
  cf.br ^head(%k : i32) loc("k.cl":4:5)
^end:
  ocl.store %i, %x : !ocl.ptr<i32, global> loc("k.cl":5:3)
  ocl.return loc("k.cl":6:1)
} loc("k.cl":1:1)
