// RUN: ocl-opt %s -p tta-if-convert | filecheck %s

// A small branch is done always: what it stores has a condition, what it computes is chosen. No
// branch is left, and so one block.
// CHECK-LABEL: func.func @one_sided
func.func @one_sided(%c: i1, %p: i32, %x: i32) {
  // CHECK-NEXT: %y = arith.addi %x, %x : i32
  // CHECK-NEXT: tta.store "st32" %p, %y if %c : i32
  // CHECK-NEXT: %[[Z:.*]] = arith.select %c, %y, %x : i32
  // CHECK-NEXT: tta.store "st32" %p, %[[Z]] : i32
  // CHECK-NEXT: func.return
  cf.cond_br %c, ^then, ^end(%x : i32)
^then:
  %y = arith.addi %x, %x : i32
  tta.store "st32" %p, %y : i32
  cf.br ^end(%y : i32)
^end(%z: i32):
  tta.store "st32" %p, %z : i32
  func.return
}

// Both sides of one inside of another: a store is guarded by both conditions, and the choice
// between a flag and false is an `and`.
// CHECK-LABEL: func.func @nested
func.func @nested(%c: i1, %d: i1, %p: i32, %x: i32) {
  // CHECK:      %[[AND:.*]] = arith.andi %c, %d : i1
  // CHECK-NEXT: tta.store "st32" %p, %x if %[[AND]]
  // CHECK-NOT:  cf.
  // CHECK:      arith.andi %c, %d : i1
  // CHECK-NOT:  cf.
  %no = arith.constant false
  cf.cond_br %c, ^a, ^b
^a:
  cf.cond_br %d, ^inner, ^join
^inner:
  tta.store "st32" %p, %x : i32
  cf.br ^join
^join:
  cf.br ^end(%d : i1)
^b:
  cf.br ^end(%no : i1)
^end(%flag: i1):
  cf.cond_br %flag, ^last, ^out
^last:
  tta.store "st32" %x, %x : i32
  cf.br ^out
^out:
  func.return
}

// A load might be out of range where the condition does not hold: the branch stays. At a constant
// address it is not.
// CHECK-LABEL: func.func @loads
func.func @loads(%c: i1, %p: i32, %x: i32) {
  // CHECK: cf.cond_br %c, ^[[THEN:.*]], ^[[END:.*]](%x : i32)
  // CHECK: ^[[THEN]]:
  // CHECK: tta.load "ld32" %p : i32
  %at = arith.constant 64 : i32
  cf.cond_br %c, ^then, ^end(%x : i32)
^then:
  %y = tta.load "ld32" %p : i32
  cf.br ^end(%y : i32)
^end(%z: i32):
  // CHECK: %w = tta.load "ld32" %at : i32
  // CHECK-NEXT: arith.select %c, %w, %z : i32
  cf.cond_br %c, ^other, ^out(%z : i32)
^other:
  %w = tta.load "ld32" %at : i32
  cf.br ^out(%w : i32)
^out(%r: i32):
  tta.store "st32" %p, %r : i32
  func.return
}
