// RUN: ocl-opt %s -p wg-rebase-loops | filecheck %s
// RUN: ocl-opt %s -p wg-rebase-loops --remarks 2>&1 >/dev/null | filecheck %s --check-prefix REMARK

// A window around each work-item, clamped to 0 .. n. All count from `x - r`, the place where a
// window begins that is not clamped; the first and the last number that any work-item of the
// group needs come from the work-items at its ends.

wg.func @window(%in: !ocl.ptr<i32, global> {ocl.name = "in"}, %n: i32 {ocl.name = "n"}, %r: i32 {ocl.name = "r"}) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  wg.parallel (%x, %y, %z) in (%c16, %c1, %c1) {
    %xi = arith.index_cast %x : index to i32
    %left = arith.subi %xi, %r : i32
    %clamped = arith.maxsi %left, %zero : i32
    %lb = arith.index_cast %clamped : i32 to index
    %right = arith.addi %xi, %r : i32
    %end = arith.index_cast %right : i32 to index
    %last = arith.index_cast %n : i32 to index
    %ub = arith.minsi %end, %last : index
    // REMARK: rebased: all work-items count alike, each skips the iterations that are not its own
    %sum = scf.for %i = %lb to %ub step %c1 iter_args(%s = %zero) -> (i32) {
      %v = ocl.load %in[%i] : !ocl.ptr<i32, global>
      %t = arith.addi %s, %v : i32
      scf.yield %t : i32
    }
    ocl.store %sum, %in[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @window(
// CHECK-NEXT:   %c-15 = arith.constant -15 : index
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %c16 = arith.constant 16 : index
// CHECK-NEXT:   %zero = arith.constant 0 : i32
// CHECK-NEXT:   %c0_1 = arith.constant 0 : index
// CHECK-NEXT:   %xi = arith.index_cast %c0_1 : index to i32
// CHECK-NEXT:   %left = arith.subi %xi, %r : i32
// CHECK-NEXT:   %base = arith.index_cast %left : i32 to index
// CHECK-NEXT:   %0 = arith.subi %c0, %base : index
// CHECK-NEXT:   %1 = arith.addi %0, %c0_1 : index
// CHECK-NEXT:   %2 = arith.addi %1, %c-15 : index
// CHECK-NEXT:   %first = arith.maxsi %c0, %2 : index
// CHECK-NEXT:   %right = arith.addi %xi, %r : i32
// CHECK-NEXT:   %end = arith.index_cast %right : i32 to index
// CHECK-NEXT:   %3 = arith.subi %end, %base : index
// CHECK-NEXT:   %last = arith.index_cast %n : i32 to index
// CHECK-NEXT:   %4 = arith.subi %last, %base : index
// CHECK-NEXT:   %5 = arith.addi %4, %c0_1 : index
// CHECK-NEXT:   %last_1 = arith.minsi %3, %5 : index
// CHECK-NEXT:   wg.parallel (%x, %y, %z) in (%c16, %c1, %c1) {
// CHECK-NEXT:     %xi_1 = arith.index_cast %x : index to i32
// CHECK-NEXT:     %left_1 = arith.subi %xi_1, %r : i32
// CHECK-NEXT:     %last_2 = arith.index_cast %n : i32 to index
// CHECK-NEXT:     %base_1 = arith.index_cast %left_1 : i32 to index
// CHECK-NEXT:     %sum = scf.for %k = %first to %last_1 step %c1 iter_args(%s = %zero) -> (i32) {
// CHECK-NEXT:       %i = arith.addi %base_1, %k : index
// CHECK-NEXT:       %6 = arith.cmpi sge, %i, %c0 : index
// CHECK-NEXT:       %7 = arith.cmpi slt, %i, %last_2 : index
// CHECK-NEXT:       %inside = arith.andi %6, %7 : i1
// CHECK-NEXT:       %8 = scf.if %inside -> (i32) {
// CHECK-NEXT:         %v = ocl.load %in[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:         %t = arith.addi %s, %v : i32
// CHECK-NEXT:         scf.yield %t : i32
// CHECK-NEXT:       } else {
// CHECK-NEXT:         scf.yield %s : i32
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %8 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     ocl.store %sum, %in[%x] : !ocl.ptr<i32, global>
// CHECK-NEXT:   }

// From one place on, all to the same end: only the end differs in numbers of iterations.
wg.func @tails(%in: !ocl.ptr<i32, global> {ocl.name = "in"}, %n: i32 {ocl.name = "n"}, %step: i32 {ocl.name = "step"}) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i32
  %ub = arith.index_cast %n : i32 to index
  %by = arith.index_cast %step : i32 to index
  wg.parallel (%x, %y, %z) in (%c16, %c1, %c1) {
    // REMARK: rebased: all work-items count alike, each skips
    scf.for %i = %x to %ub step %by {
      ocl.store %one, %in[%i] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @tails(
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %c16 = arith.constant 16 : index
// CHECK-NEXT:   %one = arith.constant 1 : i32
// CHECK-NEXT:   %ub = arith.index_cast %n : i32 to index
// CHECK-NEXT:   %by = arith.index_cast %step : i32 to index
// CHECK-NEXT:   %c0_1 = arith.constant 0 : index
// CHECK-NEXT:   %0 = arith.subi %ub, %c0_1 : index
// CHECK-NEXT:   %last = arith.addi %0, %c0_1 : index
// CHECK-NEXT:   wg.parallel (%x, %y, %z) in (%c16, %c1, %c1) {
// CHECK-NEXT:     scf.for %k = %c0 to %last step %by {
// CHECK-NEXT:       %i = arith.addi %x, %k : index
// CHECK-NEXT:       %inside = arith.cmpi slt, %i, %ub : index
// CHECK-NEXT:       scf.if %inside {
// CHECK-NEXT:         ocl.store %one, %in[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }

// As many iterations for each work-item: nothing is skipped.
wg.func @rows(%in: !ocl.ptr<i32, global> {ocl.name = "in"}) {
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i32
  wg.parallel (%x, %y, %z) in (%c16, %c1, %c1) {
    %lb = arith.muli %x, %c10 : index
    %ub = arith.addi %lb, %c10 : index
    // REMARK: rebased: all work-items count alike [
    scf.for %i = %lb to %ub step %c1 {
      ocl.store %one, %in[%i] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @rows(
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %c10 = arith.constant 10 : index
// CHECK-NEXT:   %c16 = arith.constant 16 : index
// CHECK-NEXT:   %one = arith.constant 1 : i32
// CHECK-NEXT:   %c0_1 = arith.constant 0 : index
// CHECK-NEXT:   %lb = arith.muli %c0_1, %c10 : index
// CHECK-NEXT:   %ub = arith.addi %lb, %c10 : index
// CHECK-NEXT:   %last = arith.subi %ub, %lb : index
// CHECK-NEXT:   wg.parallel (%x, %y, %z) in (%c16, %c1, %c1) {
// CHECK-NEXT:     %lb_1 = arith.muli %x, %c10 : index
// CHECK-NEXT:     scf.for %k = %c0 to %last step %c1 {
// CHECK-NEXT:       %i = arith.addi %lb_1, %k : index
// CHECK-NEXT:       ocl.store %one, %in[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:     }
// CHECK-NEXT:   }

// What stays as it is.
wg.func @refused(%in: !ocl.ptr<i32, global> {ocl.name = "in"}, %n: i32 {ocl.name = "n"}, %far: i64 {ocl.name = "far"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c100 = arith.constant 100 : index
  %one = arith.constant 1 : i32
  %end = arith.index_cast %n : i32 to index
  %start = arith.index_cast %far : i64 to index
  wg.parallel (%x, %y, %z) in (%c16, %c1, %c1) {
    // Only the end differs.
    // REMARK: not rebased: the work-items start alike; only the end differs
    scf.for %i = %c0 to %x step %c1 {
      ocl.store %one, %in[%i] : !ocl.ptr<i32, global>
    }
    // The bounds come from memory.
    %v = ocl.load %in[%x] : !ocl.ptr<i32, global>
    %lb = arith.index_cast %v : i32 to index
    // REMARK: not rebased: the bounds do not grow by known numbers between work-items
    scf.for %i = %lb to %end step %c1 {
      ocl.store %one, %in[%i] : !ocl.ptr<i32, global>
    }
    // From a clamped start, it is not known which numbers come in steps of two.
    %clamped = arith.maxsi %x, %end : index
    // REMARK: not rebased: the start is clamped and the step is not 1
    scf.for %i = %clamped to %end step %c2 {
      ocl.store %one, %in[%i] : !ocl.ptr<i32, global>
    }
    // Both ends are clamped, and the windows lie far apart: the first and the last number that
    // anyone needs would say little.
    %row = arith.muli %x, %c100 : index
    %next = arith.addi %row, %c100 : index
    %low = arith.maxsi %row, %end : index
    %high = arith.minsi %next, %c16 : index
    // REMARK: not rebased: the clamped ends are too far apart between work-items
    scf.for %i = %low to %high step %c1 {
      ocl.store %one, %in[%i] : !ocl.ptr<i32, global>
    }
    // Counting from a number of 64 bits may wrap.
    %anywhere = arith.addi %start, %x : index
    // REMARK: not rebased: the start may be any 64-bit number
    scf.for %i = %anywhere to %end step %c1 {
      ocl.store %one, %in[%i] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @refused(
// CHECK-NOT: scf.if
// CHECK: wg.return
