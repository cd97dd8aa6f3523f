// RUN: ocl-opt %s -p scf-to-cf | filecheck %s

// A break is a flag that the loop's condition reads. Where the flag is a constant, its value is known
// and nothing is left to test: the branch leaves the loop.
func.func @find(%n: i32, %x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %false = arith.constant false
  %true = arith.constant true
  %r, %left = scf.while (%i = %zero, %break = %false) : (i32, i1) -> (i32, i1) {
    %stays = arith.xori %break, %true : i1
    %more = arith.cmpi slt, %i, %n : i32
    %c = arith.andi %stays, %more : i1
    scf.condition(%c) %i, %break : i32, i1
  } do {
  ^bb0(%j: i32, %b: i1):
    %found = arith.cmpi eq, %j, %x : i32
    %k, %flag = scf.if %found -> (i32, i1) {
      scf.yield %j, %true : i32, i1
    } else {
      %next = arith.addi %j, %one : i32
      scf.yield %next, %false : i32, i1
    }
    scf.yield %k, %flag : i32, i1
  }
  func.return %r : i32
}

// CHECK-LABEL: func.func @find(%n: i32, %x: i32) -> i32 {
// CHECK-NEXT:     %zero = arith.constant 0 : i32
// CHECK-NEXT:     %one = arith.constant 1 : i32
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     cf.br ^bb1(%zero, %false : i32, i1)
// CHECK-NEXT:   ^bb1(%i: i32, %break: i1):
// CHECK-NEXT:     %stays = arith.xori %break, %true : i1
// CHECK-NEXT:     %more = arith.cmpi slt, %i, %n : i32
// CHECK-NEXT:     %c = arith.andi %stays, %more : i1
// CHECK-NEXT:     cf.cond_br %c, ^bb2(%i, %break : i32, i1), ^bb7(%i, %break : i32, i1)
// CHECK-NEXT:   ^bb2(%j: i32, %b: i1):
// CHECK-NEXT:     %found = arith.cmpi eq, %j, %x : i32
// CHECK-NEXT:     cf.cond_br %found, ^bb3, ^bb4
// CHECK-NEXT:   ^bb3:
// CHECK-NEXT:     cf.br ^bb7(%j, %true : i32, i1)
// CHECK-NEXT:   ^bb4:
// CHECK-NEXT:     %next = arith.addi %j, %one : i32
// CHECK-NEXT:     cf.br ^bb5(%next, %false : i32, i1)
// CHECK-NEXT:   ^bb5(%k: i32, %flag: i1):
// CHECK-NEXT:     cf.br ^bb6
// CHECK-NEXT:   ^bb6:
// CHECK-NEXT:     cf.br ^bb1(%k, %flag : i32, i1)
// CHECK-NEXT:   ^bb7(%r: i32, %left: i1):
// CHECK-NEXT:     func.return %r : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
