// RUN: ocl-opt %s -p "wg-merge-groups{groups=4}" | filecheck %s
// RUN: ocl-opt %s -p "wg-merge-groups{groups=4}" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// The first work-item of each group adds what all have loaded.
// REMARK: wg_merge_groups.mlir:[[# @LINE + 1]]:1: remark: 4 groups run as one [wg-merge-groups]
wg.func @sum(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 128, 1, 1>} {
  %t = ocl.local_alloc : !ocl.ptr<!ocl.array<128 x f32>, local>
  %p = ocl.cast %t : !ocl.ptr<!ocl.array<128 x f32>, local> to !ocl.ptr<f32, local>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %g = ocl.group_id 0 : index
  %first = arith.muli %g, %c128 : index
  wg.parallel (%x, %y, %z) in (%c128, %c1, %c1) {
    %i = arith.addi %first, %x : index
    %v = ocl.load %in[%i] : !ocl.ptr<f32, global>
    ocl.store %v, %p[%x] : !ocl.ptr<f32, local>
  }
  wg.parallel (%x, %y, %z) in (%c1, %c1, %c1) {
    %s = scf.for %k = %c0 to %c128 step %c1 iter_args(%q = %zero) -> (f32) {
      %w = ocl.load %p[%k] : !ocl.ptr<f32, local>
      %r = arith.addf %q, %w : f32
      scf.yield %r : f32
    }
    ocl.store %s, %out[%g] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @sum
// CHECK-SAME:      local_size = array<i64: 128, 1, 1>
// CHECK:           %t = ocl.local_alloc : !ocl.ptr<!ocl.array<640 x f32>, local>
// CHECK:           %[[GROUP:[0-9]+]] = ocl.group_id 0 : index
// CHECK-NEXT:      %[[GROUPS:[0-9]+]] = ocl.num_groups 0 : index
// CHECK-NEXT:      %[[MASK:[0-9]+]] = arith.constant -4 : index
// CHECK-NEXT:      %[[START:[0-9]+]] = arith.andi %[[GROUP]], %[[MASK]] : index
// CHECK:           scf.if
// CHECK-NEXT:        %[[IS_FIRST:[0-9]+]] = arith.cmpi eq, %[[GROUP]], %[[START]] : index
// CHECK-NEXT:        scf.if %[[IS_FIRST]] {
// CHECK:               wg.parallel (%x, %y, %z) in (%c128, %{{[0-9]+}}, %c1) {
// CHECK:                 ocl.store %v, %{{[0-9]+}}[%x] : !ocl.ptr<f32, local>
// CHECK:               } attributes {wg.spread}
// CHECK:               wg.parallel (%x_1, %y_2, %z_1) in (%c1, %{{[0-9]+}}, %c1) {
// CHECK:                 %[[MOVED:[0-9]+]] = ocl.offset %p[%{{[0-9]+}}] : !ocl.ptr<f32, local>
// CHECK:                 %s = scf.for %k = %c0 to %c128
// CHECK-NEXT:              %w = ocl.load %[[MOVED]][%k] : !ocl.ptr<f32, local>
// CHECK:           } else {
// CHECK:             wg.parallel (%x_2, %y_4, %z_2) in (%c128_1, %c1_1, %c1_1) {
// CHECK:             wg.parallel (%x_3, %y_5, %z_3) in (%c1_1, %c1_1, %c1_1) {

// A group that waits for the one before must not run beside it.
wg.func @wait(%flags: !ocl.ptr<i32, global> {ocl.name = "flags"}) attributes {local_size = array<i64: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %g = ocl.group_id 0 : index
  wg.parallel (%x, %y, %z) in (%c1, %c1, %c1) {
    scf.for %k = %c0 to %c128 step %c1 {
      %w = ocl.load volatile %flags[%g] : !ocl.ptr<i32, global>
      ocl.store %w, %flags[%k] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @wait
// CHECK:           wg.parallel (%x, %y, %z) in (%c1, %c1, %c1) {

// How often the region runs depends on the group.
wg.func @uneven(%p: !ocl.ptr<f32, global> {ocl.name = "p"}) attributes {local_size = array<i64: 128, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f32
  %g = ocl.group_id 0 : index
  scf.for %i = %c0 to %g step %c1 {
    wg.parallel (%x, %y, %z) in (%c1, %c1, %c1) {
      scf.for %k = %c0 to %c128 step %c1 {
        ocl.store %zero, %p[%k] : !ocl.ptr<f32, global>
      }
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @uneven
// CHECK:           wg.parallel (%x, %y, %z) in (%c1, %c1, %c1) {

// Groups that read and write half a line of each of several rows do so together.
// REMARK: wg_merge_groups.mlir:[[# @LINE + 2]]:1: remark: 4 groups take steps together [wg-merge-groups]
// REMARK-NOT: remark
wg.func @narrow(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %width: i32 {ocl.name = "width"}) attributes {local_size = array<i64: 8, 8, 1>} {
  %t = ocl.local_alloc : !ocl.ptr<!ocl.array<64 x f32>, local>
  %p = ocl.cast %t : !ocl.ptr<!ocl.array<64 x f32>, local> to !ocl.ptr<f32, local>
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %w = arith.index_cast %width : i32 to index
  %g = ocl.group_id 0 : index
  %first = arith.muli %g, %c8 : index
  wg.parallel (%x, %y, %z) in (%c8, %c8, %c1) {
    %row = arith.muli %y, %w : index
    %start = arith.addi %first, %row : index
    %i = arith.addi %start, %x : index
    %v = ocl.load %in[%i] : !ocl.ptr<f32, global>
    %l = arith.muli %y, %c8 : index
    %to = arith.addi %l, %x : index
    ocl.store %v, %p[%to] : !ocl.ptr<f32, local>
  }
  wg.parallel (%x, %y, %z) in (%c8, %c8, %c1) {
    %l = arith.muli %x, %c8 : index
    %from = arith.addi %l, %y : index
    %v = ocl.load %p[%from] : !ocl.ptr<f32, local>
    %row = arith.muli %y, %w : index
    %start = arith.addi %first, %row : index
    %i = arith.addi %start, %x : index
    ocl.store %v, %out[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @narrow
// CHECK:           %t = ocl.local_alloc : !ocl.ptr<!ocl.array<384 x f32>, local>
// CHECK:           %[[GROUP:[0-9]+]] = ocl.group_id 0 : index
// CHECK:           %[[MOST:[0-9]+]] = arith.select
// CHECK:           %[[REST:[0-9]+]] = arith.subi %{{[0-9]+}}, %[[GROUP]] : index
// CHECK-NEXT:      %[[COUNT:[0-9]+]] = arith.minui %[[MOST]], %[[REST]] : index
// CHECK-NEXT:      scf.if
// CHECK:             wg.parallel (%x, %y, %z) in (%c8, %c8, %[[COUNT]]) {
// CHECK:             wg.parallel (%x_1, %y_1, %z_2) in (%c8, %c8, %[[COUNT]]) {
// CHECK-NOT:       wg.parallel

// The next group writes other rows: its lines are other ones.
wg.func @transpose(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %width: i32 {ocl.name = "width"}) attributes {local_size = array<i64: 8, 8, 1>} {
  %t = ocl.local_alloc : !ocl.ptr<!ocl.array<64 x f32>, local>
  %p = ocl.cast %t : !ocl.ptr<!ocl.array<64 x f32>, local> to !ocl.ptr<f32, local>
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %w = arith.index_cast %width : i32 to index
  %g = ocl.group_id 0 : index
  %first = arith.muli %g, %c8 : index
  wg.parallel (%x, %y, %z) in (%c8, %c8, %c1) {
    %row = arith.muli %y, %w : index
    %start = arith.addi %first, %row : index
    %i = arith.addi %start, %x : index
    %v = ocl.load %in[%i] : !ocl.ptr<f32, global>
    %l = arith.muli %x, %c8 : index
    %to = arith.addi %l, %y : index
    ocl.store %v, %p[%to] : !ocl.ptr<f32, local>
  }
  wg.parallel (%x, %y, %z) in (%c8, %c8, %c1) {
    %l = arith.muli %y, %c8 : index
    %from = arith.addi %l, %x : index
    %v = ocl.load %p[%from] : !ocl.ptr<f32, local>
    %r = arith.addi %first, %y : index
    %start = arith.muli %r, %w : index
    %i = arith.addi %start, %x : index
    ocl.store %v, %out[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @transpose
// CHECK:           wg.parallel (%x, %y, %z) in (%c8, %c8, %c1) {
// CHECK:           wg.parallel (%x_1, %y_1, %z_1) in (%c8, %c8, %c1) {
