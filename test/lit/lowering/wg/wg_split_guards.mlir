// RUN: ocl-opt %s -p wg-split-guards | filecheck %s
// RUN: ocl-opt %s -p wg-split-guards --remarks 2>&1 >/dev/null | filecheck %s --check-prefix REMARK

// The end of a buffer: only the last groups need the guard. It holds for all work-items of a
// group if it does for the last one, 15 places after the first one.
// REMARK: split: without 1 guard where all work-items pass [wg-split-guards]
wg.func @end(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %n: i32 {ocl.name = "n"}) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %group = ocl.group_id 0 : index
  %start = arith.muli %group, %c16 : index
  %end = arith.index_cast %n : i32 to index
  wg.parallel (%x, %y, %z) in (%c16, %c1, %c1) {
    %i = arith.addi %start, %x : index
    %in = arith.cmpi slt, %i, %end : index
    scf.if %in {
      ocl.store %n, %p[%i] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @end(
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %c16 = arith.constant 16 : index
// CHECK-NEXT:   %group = ocl.group_id 0 : index
// CHECK-NEXT:   %start = arith.muli %group, %c16 : index
// CHECK-NEXT:   %end = arith.index_cast %n : i32 to index
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %0 = arith.index_cast %n : i32 to index
// CHECK-NEXT:   %c16_1 = arith.constant 16 : index
// CHECK-NEXT:   %1 = arith.muli %group, %c16_1 : index
// CHECK-NEXT:   %2 = arith.subi %0, %1 : index
// CHECK-NEXT:   %c-15 = arith.constant -15 : index
// CHECK-NEXT:   %3 = arith.addi %2, %c-15 : index
// CHECK-NEXT:   %all = arith.cmpi slt, %c0, %3 : index
// CHECK-NEXT:   scf.if %all {
// CHECK-NEXT:     wg.parallel (%x, %y, %z) in (%c16, %c1, %c1) {
// CHECK-NEXT:       %i = arith.addi %start, %x : index
// CHECK-NEXT:       ocl.store %n, %p[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:     }
// CHECK-NEXT:   } else {
// CHECK-NEXT:     wg.parallel (%x_1, %y_1, %z_1) in (%c16, %c1, %c1) {
// CHECK-NEXT:       %i_1 = arith.addi %start, %x_1 : index
// CHECK-NEXT:       %in = arith.cmpi slt, %i_1, %end : index
// CHECK-NEXT:       scf.if %in {
// CHECK-NEXT:         ocl.store %n, %p[%i_1] : !ocl.ptr<i32, global>
// CHECK-NEXT:       }
// CHECK-NEXT:     } attributes {wg.rare}
// CHECK-NEXT:   }

// The side that is larger is the one that most groups are expected to take: after an early
// return, that where the comparison is false. Both comparisons are a part of one test.
// REMARK: split: without 2 guards where all work-items pass [wg-split-guards]
wg.func @early_return(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %n: i32 {ocl.name = "n"}) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %group = ocl.group_id 0 : index
  %start = arith.muli %group, %c16 : index
  %end = arith.index_cast %n : i32 to index
  wg.parallel (%x, %y, %z) in (%c16, %c1, %c1) {
    %i = arith.addi %start, %x : index
    %before = arith.cmpi slt, %i, %c3 : index
    %behind = arith.cmpi sge, %i, %end : index
    %out = arith.ori %before, %behind : i1
    scf.if %out {
    } else {
      ocl.store %n, %p[%i] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @early_return(
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %c3 = arith.constant 3 : index
// CHECK-NEXT:   %c16 = arith.constant 16 : index
// CHECK-NEXT:   %group = ocl.group_id 0 : index
// CHECK-NEXT:   %start = arith.muli %group, %c16 : index
// CHECK-NEXT:   %end = arith.index_cast %n : i32 to index
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c16_1 = arith.constant 16 : index
// CHECK-NEXT:   %0 = arith.muli %group, %c16_1 : index
// CHECK-NEXT:   %c-3 = arith.constant -3 : index
// CHECK-NEXT:   %1 = arith.addi %0, %c-3 : index
// CHECK-NEXT:   %2 = arith.cmpi sle, %c0, %1 : index
// CHECK-NEXT:   %3 = arith.index_cast %n : i32 to index
// CHECK-NEXT:   %4 = arith.muli %group, %c16_1 : index
// CHECK-NEXT:   %5 = arith.subi %3, %4 : index
// CHECK-NEXT:   %c-15 = arith.constant -15 : index
// CHECK-NEXT:   %6 = arith.addi %5, %c-15 : index
// CHECK-NEXT:   %7 = arith.cmpi slt, %c0, %6 : index
// CHECK-NEXT:   %all = arith.andi %2, %7 : i1
// CHECK-NEXT:   scf.if %all {
// CHECK-NEXT:     wg.parallel (%x, %y, %z) in (%c16, %c1, %c1) {
// CHECK-NEXT:       %i = arith.addi %start, %x : index
// CHECK-NEXT:       ocl.store %n, %p[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:     }
// CHECK-NEXT:   } else {
// CHECK-NEXT:     wg.parallel (%x_1, %y_1, %z_1) in (%c16, %c1, %c1) {
// CHECK-NEXT:       %i_1 = arith.addi %start, %x_1 : index
// CHECK-NEXT:       %before = arith.cmpi slt, %i_1, %c3 : index
// CHECK-NEXT:       %behind = arith.cmpi sge, %i_1, %end : index
// CHECK-NEXT:       %out = arith.ori %before, %behind : i1
// CHECK-NEXT:       scf.if %out {
// CHECK-NEXT:       } else {
// CHECK-NEXT:         ocl.store %n, %p[%i_1] : !ocl.ptr<i32, global>
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }

// In a loop with the same range for all work-items, the guard is the closest at one of its ends.
// What a region yields comes from either version.
// REMARK: split: without 1 guard where all work-items pass [wg-split-guards]
wg.func @loop(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %n: i32 {ocl.name = "n"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %group = ocl.group_id 0 : index
  %start = arith.muli %group, %c16 : index
  %end = arith.index_cast %n : i32 to index
  %u = wg.parallel (%x, %y, %z) in (%c16, %c1, %c1) {
    %i = arith.addi %start, %x : index
    scf.for %k = %c0 to %end step %c1 {
      %from = arith.subi %i, %k : index
      %in = arith.cmpi sge, %from, %c0 : index
      scf.if %in {
        ocl.store %n, %p[%from] : !ocl.ptr<i32, global>
      }
    }
    wg.yield %n : i32
  } : i32
  ocl.store %u, %p : !ocl.ptr<i32, global>
  wg.return
}

// CHECK-LABEL: wg.func @loop(
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %c16 = arith.constant 16 : index
// CHECK-NEXT:   %group = ocl.group_id 0 : index
// CHECK-NEXT:   %start = arith.muli %group, %c16 : index
// CHECK-NEXT:   %end = arith.index_cast %n : i32 to index
// CHECK-NEXT:   %c0_1 = arith.constant 0 : index
// CHECK-NEXT:   %c16_1 = arith.constant 16 : index
// CHECK-NEXT:   %0 = arith.muli %group, %c16_1 : index
// CHECK-NEXT:   %c-1 = arith.constant -1 : index
// CHECK-NEXT:   %1 = arith.addi %end, %c-1 : index
// CHECK-NEXT:   %2 = arith.subi %0, %1 : index
// CHECK-NEXT:   %all = arith.cmpi sle, %c0_1, %2 : index
// CHECK-NEXT:   %u = scf.if %all -> (i32) {
// CHECK-NEXT:     %u_1 = wg.parallel (%x, %y, %z) in (%c16, %c1, %c1) {
// CHECK-NEXT:       %i = arith.addi %start, %x : index
// CHECK-NEXT:       scf.for %k = %c0 to %end step %c1 {
// CHECK-NEXT:         %from = arith.subi %i, %k : index
// CHECK-NEXT:         ocl.store %n, %p[%from] : !ocl.ptr<i32, global>
// CHECK-NEXT:       }
// CHECK-NEXT:       wg.yield %n : i32
// CHECK-NEXT:     } : i32
// CHECK-NEXT:     scf.yield %u_1 : i32
// CHECK-NEXT:   } else {
// CHECK-NEXT:     %u_2 = wg.parallel (%x_1, %y_1, %z_1) in (%c16, %c1, %c1) {
// CHECK-NEXT:       %i_1 = arith.addi %start, %x_1 : index
// CHECK-NEXT:       scf.for %k_1 = %c0 to %end step %c1 {
// CHECK-NEXT:         %from_1 = arith.subi %i_1, %k_1 : index
// CHECK-NEXT:         %in = arith.cmpi sge, %from_1, %c0 : index
// CHECK-NEXT:         scf.if %in {
// CHECK-NEXT:           ocl.store %n, %p[%from_1] : !ocl.ptr<i32, global>
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       wg.yield %n : i32
// CHECK-NEXT:     } : i32
// CHECK-NEXT:     scf.yield %u_2 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   ocl.store %u, %p : !ocl.ptr<i32, global>

// Ids that are not to be equal to something else: all are larger, or all are smaller, and nothing
// wraps.
// REMARK: split: without 1 guard where all work-items pass [wg-split-guards]
wg.func @different(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %n: i32 {ocl.name = "n"}) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %group = ocl.group_id 0 : index
  %start = arith.muli %group, %c16 : index
  wg.parallel (%x, %y, %z) in (%c16, %c1, %c1) {
    %i = arith.addi %start, %x : index
    %id = arith.index_cast %i : index to i32
    %border = arith.cmpi eq, %id, %n : i32
    scf.if %border {
    } else {
      ocl.store %n, %p[%i] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @different(
// CHECK-DAG:     %[[ABOVE:.*]] = arith.cmpi slt, %c0{{.*}}, %[[LEAST:.*]] : index
// CHECK-DAG:     %[[BELOW:.*]] = arith.cmpi slt, %[[MOST:.*]], %c0{{.*}} : index
// CHECK:         arith.cmpi slt, %[[MOST]], %c4294967296 : index
// CHECK:         arith.cmpi slt, %c-4294967296, %[[LEAST]] : index
// CHECK:         %[[ALL:.*]] = arith.ori
// CHECK:         scf.if %all {
// CHECK-NEXT:      wg.parallel
// CHECK-NOT:         scf.if
// CHECK:           } else {

// Guards that stay.
wg.func @kept(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %n: i32 {ocl.name = "n"}) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %group = ocl.group_id 0 : index
  %start = arith.muli %group, %c16 : index
  %end = arith.index_cast %n : i32 to index
  wg.parallel (%x, %y, %z) in (%c16, %c1, %c1) {
    %i = arith.addi %start, %x : index
    // REMARK: guard kept: it does not depend on which group it is
    %leader = arith.cmpi slt, %x, %c3 : index
    scf.if %leader {
      ocl.store %n, %p[%i] : !ocl.ptr<i32, global>
    }
    // REMARK: guard kept: it asks for equality
    %third = arith.cmpi eq, %i, %c3 : index
    scf.if %third {
      ocl.store %n, %p[%i] : !ocl.ptr<i32, global>
    }
    // REMARK: guard kept: it asks for equality with what a loop computes
    scf.for %k = %c1 to %end step %c1 {
      %other = arith.cmpi ne, %i, %k : index
      scf.if %other {
        ocl.store %n, %p[%i] : !ocl.ptr<i32, global>
      }
    }
    // REMARK: guard kept: what it compares is no sum of ids and of values of the group
    %v = ocl.load %p[%i] : !ocl.ptr<i32, global>
    %found = arith.cmpi slt, %v, %n : i32
    scf.if %found {
      ocl.store %n, %p[%i] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @kept(
// CHECK-NOT: scf.if %all
// CHECK: wg.return

// An unsigned sum may wrap: the group asks whether it does for its first work-item, and whether the
// last one is below the bound.
// REMARK: split: without 1 guard where all work-items pass [wg-split-guards]
wg.func @wraps(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %n: i32 {ocl.name = "n"}) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %group = ocl.group_id 0 : index
  %start = arith.muli %group, %c16 : index
  %end = arith.index_cast %n : i32 to index
  wg.parallel (%x, %y, %z) in (%c16, %c1, %c1) {
    %i = arith.addi %start, %x : index
    %before = arith.subi %i, %c3 : index
    %inside = arith.cmpi ult, %before, %end : index
    scf.if %inside {
      ocl.store %n, %p[%i] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @wraps(
// CHECK:         %[[FIRST:.*]] = arith.muli %group, %c16_1 : index
// CHECK-NEXT:    %[[THREE:.*]] = arith.constant 3 : index
// CHECK-NEXT:    %[[POSITIVE:.*]] = arith.cmpi sle, %[[THREE]], %[[FIRST]] : index
// CHECK:         %[[BELOW:.*]] = arith.cmpi sle, %{{.*}}, %{{.*}} : index
// CHECK-NEXT:    %all = arith.andi %[[POSITIVE]], %[[BELOW]] : i1
// CHECK-NEXT:    scf.if %all {

// All work-items of each group pass the guard, in all iterations.
// CHECK-LABEL: wg.func @always(
// CHECK:         scf.for
// CHECK-NEXT:      %{{.*}} = arith.muli
// CHECK-NEXT:      %{{.*}} = arith.addi
// CHECK-NOT:       scf.if
// CHECK:         wg.return
wg.func @always(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 16, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%c16, %c1, %c1) {
    scf.for %k = %c0 to %c4 step %c1 {
      %row = arith.muli %k, %c16 : index
      %i = arith.addi %row, %x : index
      // REMARK: guard dropped: all work-items pass
      %in = arith.cmpi slt, %i, %c64 : index
      scf.if %in {
        ocl.store %n, %p[%i] : !ocl.ptr<i32, global>
      }
    }
  }
  wg.return
}

// The last groups and the first one: there may be one group in a row, so that the version with
// guards is not marked as rare.
// CHECK-LABEL: wg.func @inside(
// CHECK:         scf.if %all {
// CHECK-NOT:       wg.rare
// CHECK:         wg.return
wg.func @inside(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %n: i32 {ocl.name = "n"}) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %group = ocl.group_id 0 : index
  %start = arith.muli %group, %c16 : index
  %end = arith.index_cast %n : i32 to index
  wg.parallel (%x, %y, %z) in (%c16, %c1, %c1) {
    %i = arith.addi %start, %x : index
    %above = arith.cmpi sge, %i, %c1 : index
    %below = arith.cmpi slt, %i, %end : index
    %in = arith.andi %above, %below : i1
    scf.if %in {
      ocl.store %n, %p[%i] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// Rows of a window, in a loop, and columns: the first and the last group of a row of groups have
// guards of columns only.
// REMARK: split: without 3 guards where all work-items pass
// REMARK: split: without 1 of them where rows pass
// CHECK-LABEL: wg.func @window(
// CHECK:         scf.if %all {
// CHECK:         } else {
// CHECK-NEXT:      scf.if %rows {
// CHECK-NEXT:        wg.parallel (%x_1, %y_1, %z_1) in (%c16, %c4, %c1) {
// CHECK-NEXT:          %i_1 = arith.addi %left, %x_1 : index
// CHECK-NEXT:          %j_1 = arith.addi %top, %y_1 : index
// CHECK-NEXT:          %above = arith.cmpi sge, %i_1, %c1 : index
// CHECK-NEXT:          %below = arith.cmpi slt, %i_1, %end : index
// CHECK-NEXT:          %in = arith.andi %above, %below : i1
// CHECK-NEXT:          scf.if %in {
// CHECK-NEXT:            scf.for %k_1 = %c0 to %c3 step %c1 {
// CHECK-NEXT:              %jk_1 = arith.subi %j_1, %k_1 : index
// CHECK-NEXT:              %place_1 = arith.addi %jk_1, %i_1 : index
// CHECK-NEXT:              ocl.store %n, %p[%place_1] : !ocl.ptr<i32, global>
// CHECK:           } else {
// CHECK-NEXT:        wg.parallel (%x_2, %y_2, %z_2) in (%c16, %c4, %c1) {
// CHECK:               scf.if %in_1 {
// CHECK:                 scf.if %row {
// CHECK:         wg.return
wg.func @window(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %n: i32 {ocl.name = "n"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %gx = ocl.group_id 0 : index
  %gy = ocl.group_id 1 : index
  %left = arith.muli %gx, %c16 : index
  %top = arith.muli %gy, %c4 : index
  %end = arith.index_cast %n : i32 to index
  wg.parallel (%x, %y, %z) in (%c16, %c4, %c1) {
    %i = arith.addi %left, %x : index
    %j = arith.addi %top, %y : index
    %above = arith.cmpi sge, %i, %c1 : index
    %below = arith.cmpi slt, %i, %end : index
    %in = arith.andi %above, %below : i1
    scf.if %in {
      scf.for %k = %c0 to %c3 step %c1 {
        %jk = arith.subi %j, %k : index
        %row = arith.cmpi sge, %jk, %c0 : index
        scf.if %row {
          %place = arith.addi %jk, %i : index
          ocl.store %n, %p[%place] : !ocl.ptr<i32, global>
        }
      }
    }
  }
  wg.return
}

// A column below the diagonal: the loop is as long as the first work-item of a group needs, and the
// last one of each group leaves its last iterations out. No group would run without the guard.
// REMARK: guard kept: it stops a work-item of each group [wg-split-guards]
wg.func @triangle(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %n: i32 {ocl.name = "n"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %group = ocl.group_id 0 : index
  %start = arith.muli %group, %c16 : index
  %end = arith.index_cast %n : i32 to index
  %length = arith.subi %end, %start : index
  wg.parallel (%x, %y, %z) in (%c16, %c1, %c1) {
    %i = arith.addi %start, %x : index
    scf.for %k = %c0 to %length step %c1 {
      %row = arith.addi %i, %k : index
      %in = arith.cmpi slt, %row, %end : index
      scf.if %in {
        %at = arith.muli %row, %end : index
        %place = arith.addi %at, %i : index
        ocl.store %n, %p[%place] : !ocl.ptr<i32, global>
      }
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @triangle(
// CHECK:         wg.parallel
// CHECK-NOT:     wg.parallel
// CHECK:         wg.return
