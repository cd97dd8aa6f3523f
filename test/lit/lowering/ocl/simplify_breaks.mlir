// RUN: ocl-opt %s -p simplify-breaks | filecheck %s

// for (x = 0; x < n; x++) { ...; if (v == 0) break; }
// The loop is left when %b is set, so that nobody sees that the counter stood still: it counts on
// in any case, and is the same for all work-items that are still in the loop.
func.func @counter(%n: i32, %v: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %false = arith.constant false
  %x, %b = scf.while (%x1 = %zero, %b1 = %false) : (i32, i1) -> (i32, i1) {
    %below = arith.cmpi slt, %x1, %n : i32
    %on = arith.xori %b1, %true : i1
    %go = arith.andi %on, %below : i1
    scf.condition(%go) %x1, %b1 : i32, i1
  } do {
  ^bb0(%x2: i32, %b2: i1):
    %b3 = arith.cmpi eq, %v, %x2 : i32
    %on = arith.xori %b3, %true : i1
    %x3 = scf.if %on -> (i32) {
      %next = arith.addi %x2, %one : i32
      scf.yield %next : i32
    } else {
      scf.yield %x2 : i32
    }
    scf.yield %x3, %b3 : i32, i1
  }
  func.return
}

// CHECK-LABEL: func.func @counter(%n: i32, %v: i32) {
// CHECK-NEXT:      %zero = arith.constant 0 : i32
// CHECK-NEXT:      %one = arith.constant 1 : i32
// CHECK-NEXT:      %true = arith.constant true
// CHECK-NEXT:      %false = arith.constant false
// CHECK-NEXT:      %x, %b = scf.while (%x1 = %zero, %b1 = %false) : (i32, i1) -> (i32, i1) {
// CHECK-NEXT:        %below = arith.cmpi slt, %x1, %n : i32
// CHECK-NEXT:        %on = arith.xori %b1, %true : i1
// CHECK-NEXT:        %go = arith.andi %on, %below : i1
// CHECK-NEXT:        scf.condition(%go) %x1, %b1 : i32, i1
// CHECK-NEXT:      } do {
// CHECK-NEXT:      ^bb0(%x2: i32, %b2: i1):
// CHECK-NEXT:        %b3 = arith.cmpi eq, %v, %x2 : i32
// CHECK-NEXT:        %on_1 = arith.xori %b3, %true : i1
// CHECK-NEXT:        %next = arith.addi %x2, %one : i32
// CHECK-NEXT:        scf.yield %next, %b3 : i32, i1
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }

// Where a round begins, the flag is not set: the body need not keep it.
func.func @flag(%n: i32, %v: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %false = arith.constant false
  %x, %b = scf.while (%x1 = %zero, %b1 = %false) : (i32, i1) -> (i32, i1) {
    %below = arith.cmpi slt, %x1, %n : i32
    %on = arith.xori %b1, %true : i1
    %go = arith.andi %on, %below : i1
    scf.condition(%go) %x1, %b1 : i32, i1
  } do {
  ^bb0(%x2: i32, %b2: i1):
    %found = arith.cmpi eq, %v, %x2 : i32
    %b3 = arith.select %found, %true, %b2 : i1
    %next = arith.addi %x2, %one : i32
    scf.yield %next, %b3 : i32, i1
  }
  func.return
}

// CHECK-LABEL: func.func @flag(%n: i32, %v: i32) {
// CHECK:           ^bb0(%x2: i32, %b2: i1):
// CHECK-NEXT:        %b2_1 = arith.constant false
// CHECK-NEXT:        %found = arith.cmpi eq, %v, %x2 : i32
// CHECK-NEXT:        %b3 = arith.select %found, %true, %b2_1 : i1

// Where the counter is read after the loop, it matters where it stopped.
func.func @found(%n: i32, %v: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %true = arith.constant true
  %false = arith.constant false
  %x, %b = scf.while (%x1 = %zero, %b1 = %false) : (i32, i1) -> (i32, i1) {
    %below = arith.cmpi slt, %x1, %n : i32
    %on = arith.xori %b1, %true : i1
    %go = arith.andi %on, %below : i1
    scf.condition(%go) %x1, %b1 : i32, i1
  } do {
  ^bb0(%x2: i32, %b2: i1):
    %b3 = arith.cmpi eq, %v, %x2 : i32
    %next = arith.addi %x2, %one : i32
    %x3 = arith.select %b3, %x2, %next : i32
    scf.yield %x3, %b3 : i32, i1
  }
  func.return %x : i32
}

// CHECK-LABEL: func.func @found(%n: i32, %v: i32) -> i32 {
// CHECK-NEXT:      %zero = arith.constant 0 : i32
// CHECK-NEXT:      %one = arith.constant 1 : i32
// CHECK-NEXT:      %true = arith.constant true
// CHECK-NEXT:      %false = arith.constant false
// CHECK-NEXT:      %x, %b = scf.while (%x1 = %zero, %b1 = %false) : (i32, i1) -> (i32, i1) {
// CHECK-NEXT:        %below = arith.cmpi slt, %x1, %n : i32
// CHECK-NEXT:        %on = arith.xori %b1, %true : i1
// CHECK-NEXT:        %go = arith.andi %on, %below : i1
// CHECK-NEXT:        scf.condition(%go) %x1, %b1 : i32, i1
// CHECK-NEXT:      } do {
// CHECK-NEXT:      ^bb0(%x2: i32, %b2: i1):
// CHECK-NEXT:        %b3 = arith.cmpi eq, %v, %x2 : i32
// CHECK-NEXT:        %next = arith.addi %x2, %one : i32
// CHECK-NEXT:        %x3 = arith.select %b3, %x2, %next : i32
// CHECK-NEXT:        scf.yield %x3, %b3 : i32, i1
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %x : i32
// CHECK-NEXT:    }

// An element is read at the counter, which is read after the loop, too: the iterations count on,
// and a copy stands still.
func.func @place(%p: !ocl.ptr<i8, global>, %n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %nul = arith.constant 0 : i8
  %true = arith.constant true
  %false = arith.constant false
  %x, %b = scf.while (%x1 = %zero, %b1 = %false) : (i32, i1) -> (i32, i1) {
    %below = arith.cmpi slt, %x1, %n : i32
    %on = arith.xori %b1, %true : i1
    %go = arith.andi %on, %below : i1
    scf.condition(%go) %x1, %b1 : i32, i1
  } do {
  ^bb0(%x2: i32, %b2: i1):
    %i = arith.index_cast %x2 : i32 to index
    %v = ocl.load %p[%i] : !ocl.ptr<i8, global>
    %b3 = arith.cmpi eq, %v, %nul : i8
    %next = arith.addi %x2, %one : i32
    %x3 = arith.select %b3, %x2, %next : i32
    scf.yield %x3, %b3 : i32, i1
  }
  func.return %x : i32
}

// CHECK-LABEL: func.func @place(%p: !ocl.ptr<i8, global>, %n: i32) -> i32 {
// CHECK-NEXT:      %zero = arith.constant 0 : i32
// CHECK-NEXT:      %one = arith.constant 1 : i32
// CHECK-NEXT:      %nul = arith.constant 0 : i8
// CHECK-NEXT:      %true = arith.constant true
// CHECK-NEXT:      %false = arith.constant false
// CHECK-NEXT:      %x, %b, %0 = scf.while (%x1 = %zero, %b1 = %false, %x1_1 = %zero) : (i32, i1, i32) -> (i32, i1, i32) {
// CHECK-NEXT:        %below = arith.cmpi slt, %x1_1, %n : i32
// CHECK-NEXT:        %on = arith.xori %b1, %true : i1
// CHECK-NEXT:        %go = arith.andi %on, %below : i1
// CHECK-NEXT:        scf.condition(%go) %x1, %b1, %x1_1 : i32, i1, i32
// CHECK-NEXT:      } do {
// CHECK-NEXT:      ^bb0(%x2: i32, %b2: i1, %x1_2: i32):
// CHECK-NEXT:        %i = arith.index_cast %x1_2 : i32 to index
// CHECK-NEXT:        %v = ocl.load %p[%i] : !ocl.ptr<i8, global>
// CHECK-NEXT:        %b3 = arith.cmpi eq, %v, %nul : i8
// CHECK-NEXT:        %next = arith.addi %x1_2, %one : i32
// CHECK-NEXT:        %x3 = arith.select %b3, %x1_2, %next : i32
// CHECK-NEXT:        scf.yield %x3, %b3, %next : i32, i1, i32
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %x : i32
// CHECK-NEXT:    }
