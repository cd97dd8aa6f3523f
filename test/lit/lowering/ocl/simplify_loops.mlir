// RUN: ocl-opt %s -p simplify-loops | filecheck %s
// RUN: ocl-opt %s -p simplify-loops --remarks 2>&1 >/dev/null | filecheck %s --check-prefix REMARK

// 100 elements for 128 work-items: after a step of 128 no id is below 100.
// CHECK-LABEL: ocl.kernel @while(
// REMARK: simplify_loops.mlir:[[# @LINE + 15]]:3: remark: runs once at most: a branch [simplify-loops]
ocl.kernel @while(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) {
  // CHECK: %[[ID:.*]] = arith.index_cast %{{.*}} : index to i32
  // CHECK: %[[GO:.*]] = arith.cmpi slt, %[[ID]], %{{.*}} : i32
  // CHECK: %[[AFTER:.*]] = scf.if %[[GO]] -> (i32) {
  // CHECK:   ocl.store %[[ID]], %out
  // CHECK:   %[[NEXT:.*]] = arith.addi %[[ID]], %{{.*}} : i32
  // CHECK:   scf.yield %[[NEXT]] : i32
  // CHECK: } else {
  // CHECK:   scf.yield %[[ID]] : i32
  // CHECK: }
  %id = ocl.local_id 0 : index
  %start = arith.index_cast %id : index to i32
  %bound = arith.constant 100 : i32
  %step = arith.constant 128 : i32
  %end = scf.while (%i = %start) : (i32) -> i32 {
    %go = arith.cmpi slt, %i, %bound : i32
    scf.condition(%go) %i : i32
  } do {
  ^bb0(%j: i32):
    %at = arith.index_cast %j : i32 to index
    ocl.store %j, %out[%at] : !ocl.ptr<i32, global>
    %next = arith.addi %j, %step : i32
    scf.yield %next : i32
  }
  %last = arith.index_cast %end : i32 to index
  ocl.store %end, %out[%last] : !ocl.ptr<i32, global>
  ocl.return
}

// The first work-items have two elements of 200: the loop stays.
// CHECK-LABEL: ocl.kernel @twice(
// CHECK: scf.for
ocl.kernel @twice(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) {
  %id = ocl.local_id 0 : index
  %bound = arith.constant 200 : index
  %step = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.for %i = %id to %bound step %step {
    ocl.store %one, %out[%i] : !ocl.ptr<i32, global>
  }
  ocl.return
}

// The same with 100 elements.
// CHECK-LABEL: ocl.kernel @for(
// CHECK: arith.cmpi slt, %id, %bound : index
// CHECK-NEXT: scf.if
ocl.kernel @for(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) {
  %id = ocl.local_id 0 : index
  %bound = arith.constant 100 : index
  %step = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.for %i = %id to %bound step %step {
    ocl.store %one, %out[%i] : !ocl.ptr<i32, global>
  }
  ocl.return
}

// Exactly one round needs no branch.
// CHECK-LABEL: ocl.kernel @once(
// CHECK-NOT: scf
// CHECK: ocl.return
ocl.kernel @once(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) {
  %id = ocl.local_id 0 : index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %v = arith.constant 1 : i32
  %sum = scf.for %i = %zero to %one step %one iter_args(%s = %v) -> (i32) {
    %t = arith.addi %s, %v : i32
    scf.yield %t : i32
  }
  ocl.store %sum, %out[%id] : !ocl.ptr<i32, global>
  ocl.return
}

// A parameter may be negative, so that a step of 128 is not enough.
// CHECK-LABEL: ocl.kernel @unknown(
// CHECK: scf.for
ocl.kernel @unknown(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %from: i64 {ocl.name = "from"}) {
  %start = arith.index_cast %from : i64 to index
  %bound = arith.constant 100 : index
  %step = arith.constant 128 : index
  %one = arith.constant 1 : i32
  scf.for %i = %start to %bound step %step {
    ocl.store %one, %out[%i] : !ocl.ptr<i32, global>
  }
  ocl.return
}

// What each round sets back to the value from before the loop is that value.
// CHECK-LABEL: ocl.kernel @unchanged(
// CHECK: scf.for
// CHECK:   ocl.store %start, %out
ocl.kernel @unchanged(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) {
  %id = ocl.local_id 0 : index
  %start = arith.index_cast %id : index to i32
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.index_cast %n : i32 to index
  %r = scf.for %i = %zero to %end step %one iter_args(%v = %start) -> (i32) {
    ocl.store %v, %out[%i] : !ocl.ptr<i32, global>
    scf.yield %start : i32
  }
  ocl.return
}

// do { ... } while (0), as macros have it.
// CHECK-LABEL: ocl.kernel @macro(
// CHECK-NOT: scf.while
// CHECK:       %next = arith.addi %n, %n : i32
// CHECK:       ocl.store %next, %out
ocl.kernel @macro(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) {
  %v = scf.while (%m = %n) : (i32) -> i32 {
    %next = arith.addi %m, %m : i32
    %false = arith.constant false
    scf.condition(%false) %next : i32
  } do {
  ^bb0(%m: i32):
    scf.yield %m : i32
  }
  ocl.store %v, %out : !ocl.ptr<i32, global>
  ocl.return
}

// `if (3 < 5)`, of arguments of a function say, has a side that runs; inner branches of the other one go with it.
// CHECK-LABEL: ocl.kernel @known(
// CHECK-NOT:   scf.if
// CHECK:       ocl.store %n, %out
// CHECK-NEXT:  ocl.return
ocl.kernel @known(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) {
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %less = arith.cmpi ult, %c3, %c5 : i32
  %r = scf.if %less -> (i32) {
    scf.yield %n : i32
  } else {
    %equal = arith.cmpi eq, %c3, %c5 : i32
    scf.if %equal {
      ocl.store %c3, %out : !ocl.ptr<i32, global>
    }
    scf.yield %c5 : i32
  }
  ocl.store %r, %out : !ocl.ptr<i32, global>
  ocl.return
}

// A negative number is a large one in an unsigned comparison: the branch stays.
// CHECK-LABEL: ocl.kernel @negative(
// CHECK:       scf.if
ocl.kernel @negative(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) {
  %cm1 = arith.constant -1 : i32
  %c5 = arith.constant 5 : i32
  %less = arith.cmpi ult, %cm1, %c5 : i32
  scf.if %less {
    ocl.store %n, %out : !ocl.ptr<i32, global>
  }
  ocl.return
}

// A selection on known numbers is what is selected.
// CHECK-LABEL: ocl.kernel @selected(
// CHECK-NOT:   arith.select
// CHECK:       ocl.store %n, %out
ocl.kernel @selected(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) {
  %c0 = arith.constant 0 : i32
  %transposed = arith.cmpi ne, %c0, %c0 : i32
  %i = arith.select %transposed, %c0, %n : i32
  ocl.store %i, %out : !ocl.ptr<i32, global>
  ocl.return
}

// A remainder by 1 is 0, of any number.
// CHECK-LABEL: ocl.kernel @by_one(
// CHECK-NOT:   arith.rem
// CHECK:       %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK:       ocl.store %[[ZERO]], %out
// CHECK:       %[[TWO:.*]] = arith.remsi %n, %c2 : i32
// CHECK:       ocl.store %[[TWO]], %out
ocl.kernel @by_one(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %rest = arith.remui %n, %c1 : i32
  ocl.store %rest, %out : !ocl.ptr<i32, global>
  %two = arith.remsi %n, %c2 : i32
  ocl.store %two, %out : !ocl.ptr<i32, global>
  ocl.return
}

// The sum of a larger step may wrap around where the bound does not.
// CHECK-LABEL: ocl.kernel @next_number(
// CHECK:       scf.if
// CHECK:       scf.while
ocl.kernel @next_number(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %next = arith.addi %c1, %n : i32
  %end = scf.while (%i = %n) : (i32) -> i32 {
    %go = arith.cmpi slt, %i, %next : i32
    scf.condition(%go) %i : i32
  } do {
  ^bb0(%j: i32):
    ocl.store %j, %out : !ocl.ptr<i32, global>
    %more = arith.addi %j, %c1 : i32
    scf.yield %more : i32
  }
  %last = scf.while (%i = %end) : (i32) -> i32 {
    %bound = arith.addi %end, %c1 : i32
    %go = arith.cmpi slt, %i, %bound : i32
    scf.condition(%go) %i : i32
  } do {
  ^bb0(%j: i32):
    ocl.store %j, %out : !ocl.ptr<i32, global>
    %more = arith.addi %j, %c2 : i32
    scf.yield %more : i32
  }
  ocl.store %last, %out : !ocl.ptr<i32, global>
  ocl.return
}
