// RUN: ocl-opt %s -p wg-unroll-steps | filecheck %s
// RUN: ocl-opt %s -p wg-unroll-steps --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// A tree whose levels add elements at distances of 1 and 2.
// REMARK: wg_unroll_steps.mlir:[[# @LINE + 13]]:3: remark: unrolled: 2 known steps [wg-unroll-steps]
// REMARK: wg_unroll_steps.mlir:{{.*}} remark: unrolled: 2 known steps [wg-unroll-steps]
// REMARK: wg_unroll_steps.mlir:{{.*}} remark: unrolled: 2 known steps [wg-unroll-steps]
// REMARK: wg_unroll_steps.mlir:{{.*}} remark: unrolled: 3 known steps [wg-unroll-steps]
// REMARK: wg_unroll_steps.mlir:{{.*}} remark: unrolled: 2 known steps [wg-unroll-steps]
// REMARK: wg_unroll_steps.mlir:{{.*}} remark: unrolled: 2 known steps [wg-unroll-steps]
// REMARK-NOT: remark
wg.func @tree(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 4, 1, 1>} {
  %t = ocl.local_alloc : !ocl.ptr<!ocl.array<4 x i32>, local>
  %p = ocl.cast %t : !ocl.ptr<!ocl.array<4 x i32>, local> to !ocl.ptr<i32, local>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.while (%s = %c1) : (index) -> index {
    %go = arith.cmpi slt, %s, %c4 : index
    scf.condition(%go) %s : index
  } do {
  ^bb0(%step: index):
    %both = arith.muli %step, %c2 : index
    %n = arith.divui %c4, %both : index
    wg.parallel (%x, %y, %z) in (%n, %c1, %c1) {
      %i = arith.muli %x, %both : index
      %j = arith.addi %i, %step : index
      %a = ocl.load %p[%i] : !ocl.ptr<i32, local>
      %b = ocl.load %p[%j] : !ocl.ptr<i32, local>
      %c = arith.addi %a, %b : i32
      ocl.store %c, %p[%i] : !ocl.ptr<i32, local>
    }
    scf.yield %both : index
  }
  wg.parallel (%x, %y, %z) in (%c1, %c1, %c1) {
    %a = ocl.load %p : !ocl.ptr<i32, local>
    ocl.store %a, %out : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @tree
// CHECK-NOT:       scf.while
// CHECK:           %both = arith.constant 2 : index
// CHECK-NEXT:      %n = arith.constant 2 : index
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%n, %c1, %c1) {
// CHECK:             %i = arith.muli %x, %both : index
// CHECK:           %both_1 = arith.constant 4 : index
// CHECK-NEXT:      %n_1 = arith.constant 1 : index
// CHECK-NEXT:      wg.parallel (%x_1, %y_1, %z_1) in (%n_1, %c1, %c1) {
// CHECK:             %i_1 = arith.muli %x_1, %both_1 : index

// All elements are read after the loop, as those of a scan: each step runs one work-item after the
// other.
wg.func @all_read(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 4, 1, 1>} {
  %t = ocl.local_alloc : !ocl.ptr<!ocl.array<4 x i32>, local>
  %p = ocl.cast %t : !ocl.ptr<!ocl.array<4 x i32>, local> to !ocl.ptr<i32, local>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.while (%s = %c1) : (index) -> index {
    %go = arith.cmpi slt, %s, %c4 : index
    scf.condition(%go) %s : index
  } do {
  ^bb0(%step: index):
    %both = arith.muli %step, %c2 : index
    wg.parallel (%x, %y, %z) in (%c2, %c1, %c1) {
      %i = arith.muli %x, %step : index
      %j = arith.addi %i, %c1 : index
      %a = ocl.load %p[%i] : !ocl.ptr<i32, local>
      ocl.store %a, %p[%j] : !ocl.ptr<i32, local>
    }
    scf.yield %both : index
  }
  wg.parallel (%x, %y, %z) in (%c4, %c1, %c1) {
    %a = ocl.load %p[%x] : !ocl.ptr<i32, local>
    ocl.store %a, %out[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @all_read
// CHECK-NOT:       scf.while
// CHECK:           wg.parallel
// CHECK:           } attributes {wg.lanes = array<i64: 1, 1, 1>, ocl.unroll = -2 : i32}
// CHECK:           wg.parallel
// CHECK:           } attributes {wg.lanes = array<i64: 1, 1, 1>, ocl.unroll = -2 : i32}

// The end is not known.
wg.func @argument(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %m: i32 {ocl.name = "m"}) attributes {local_size = array<i64: 4, 1, 1>} {
  %t = ocl.local_alloc : !ocl.ptr<!ocl.array<4 x i32>, local>
  %p = ocl.cast %t : !ocl.ptr<!ocl.array<4 x i32>, local> to !ocl.ptr<i32, local>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = arith.index_cast %m : i32 to index
  scf.while (%s = %c1) : (index) -> index {
    %go = arith.cmpi slt, %s, %n : index
    scf.condition(%go) %s : index
  } do {
  ^bb0(%step: index):
    %both = arith.muli %step, %c2 : index
    wg.parallel (%x, %y, %z) in (%c1, %c1, %c1) {
      %i = arith.muli %x, %both : index
      %a = ocl.load %p[%i] : !ocl.ptr<i32, local>
      ocl.store %a, %p[%i] : !ocl.ptr<i32, local>
    }
    scf.yield %both : index
  }
  wg.return
}

// CHECK-LABEL: wg.func @argument
// CHECK:           scf.while

// What is scaled begins with a number that is computed, and the loop ends after its regions.
wg.func @ends_after(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 4, 1, 1>} {
  %t = ocl.local_alloc : !ocl.ptr<!ocl.array<4 x i32>, local>
  %p = ocl.cast %t : !ocl.ptr<!ocl.array<4 x i32>, local> to !ocl.ptr<i32, local>
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %half = arith.shrui %c4, %c1 : index
  scf.while (%s = %c1, %n = %half) : (index, index) -> (index, index) {
    wg.parallel (%x, %y, %z) in (%n, %c1, %c1) {
      %i = arith.muli %x, %s : index
      %a = ocl.load %p[%i] : !ocl.ptr<i32, local>
      %j = arith.addi %i, %s : index
      ocl.store %a, %p[%j] : !ocl.ptr<i32, local>
    }
    %twice = arith.addi %s, %s : index
    %less = arith.shrui %n, %c1 : index
    %go = arith.cmpi ugt, %less, %c0 : index
    scf.condition(%go) %twice, %less : index, index
  } do {
  ^bb0(%s: index, %n: index):
    scf.yield %s, %n : index, index
  }
  wg.parallel (%x, %y, %z) in (%c1, %c1, %c1) {
    %a = ocl.load %p : !ocl.ptr<i32, local>
    ocl.store %a, %out : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @ends_after
// CHECK-NOT:       scf.while
// CHECK:           wg.parallel
// CHECK:             arith.muli %x, %{{.*}} : index
// CHECK:           wg.parallel
// CHECK:             arith.muli %x_1, %{{.*}} : index
// CHECK:           wg.parallel
// CHECK-NEXT:        ocl.load %p : !ocl.ptr<i32, local>

// Ids are divided by what the loop carries: of known steps that is a shift. Vectors decide later.
wg.func @divided(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 4, 1, 1>} {
  %t = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x i32>, local>
  %p = ocl.cast %t : !ocl.ptr<!ocl.array<8 x i32>, local> to !ocl.ptr<i32, local>
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.while (%s = %c1) : (index) -> index {
    %go = arith.cmpi slt, %s, %c8 : index
    scf.condition(%go) %s : index
  } do {
  ^bb0(%step: index):
    %both = arith.addi %step, %step : index
    wg.parallel (%x, %y, %z) in (%c4, %c1, %c1) {
      %block = arith.divsi %x, %step : index
      %first = arith.muli %block, %both : index
      %a = ocl.load %p[%first] : !ocl.ptr<i32, local>
      %second = arith.addi %first, %step : index
      ocl.store %a, %p[%second] : !ocl.ptr<i32, local>
    }
    scf.yield %both : index
  }
  wg.parallel (%x, %y, %z) in (%c4, %c1, %c1) {
    %a = ocl.load %p[%x] : !ocl.ptr<i32, local>
    ocl.store %a, %out[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @divided
// CHECK-NOT:       scf.while
// CHECK-NOT:       wg.lanes
// CHECK:           wg.return

// A counted loop, in which regions run for as many work-items as the bit of the counter says.
wg.func @bits(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 4, 1, 1>} {
  %t = ocl.local_alloc : !ocl.ptr<!ocl.array<4 x i32>, local>
  %p = ocl.cast %t : !ocl.ptr<!ocl.array<4 x i32>, local> to !ocl.ptr<i32, local>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %k = %c0 to %c2 step %c1 {
    %d = arith.shli %c1, %k : index
    wg.parallel (%x, %y, %z) in (%d, %c1, %c1) {
      %j = arith.addi %x, %d : index
      %a = ocl.load %p[%x] : !ocl.ptr<i32, local>
      %b = ocl.load %p[%j] : !ocl.ptr<i32, local>
      %c = arith.addi %a, %b : i32
      ocl.store %c, %p[%x] : !ocl.ptr<i32, local>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @bits
// CHECK-NOT:     scf.for
// CHECK:         %d = arith.constant 1 : index
// CHECK-NEXT:    wg.parallel ({{.*}}) in (%d, %c1, %c1) {
// CHECK:         %d_1 = arith.constant 2 : index
// CHECK-NEXT:    wg.parallel ({{.*}}) in (%d_1, %c1, %c1) {
// CHECK-NOT:     wg.parallel

// What is read does not depend on the step, but who reads does.
wg.func @pairs(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 4, 1, 1>} {
  %t = ocl.local_alloc : !ocl.ptr<!ocl.array<4 x i32>, local>
  %p = ocl.cast %t : !ocl.ptr<!ocl.array<4 x i32>, local> to !ocl.ptr<i32, local>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  scf.while (%n = %c2) : (index) -> index {
    %more = arith.cmpi sgt, %n, %c0 : index
    scf.condition(%more) %n : index
  } do {
  ^bb0(%n: index):
    wg.parallel (%x, %y, %z) in (%c4, %c1, %c1) {
      %less = arith.cmpi slt, %x, %n : index
      %i = arith.muli %x, %c2 : index
      %sum = scf.if %less -> (i32) {
        %a = ocl.load %p[%i] : !ocl.ptr<i32, local>
        scf.yield %a : i32
      } else {
        scf.yield %zero : i32
      }
      ocl.store %sum, %p[%x] : !ocl.ptr<i32, local>
    }
    %half = arith.divui %n, %c2 : index
    scf.yield %half : index
  }
  wg.parallel (%x, %y, %z) in (%c1, %c1, %c1) {
    %a = ocl.load %p[%x] : !ocl.ptr<i32, local>
    ocl.store %a, %out[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @pairs
// CHECK-NOT:     scf.while
// CHECK-COUNT-3: wg.parallel
