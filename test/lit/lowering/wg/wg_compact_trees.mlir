// RUN: ocl-opt %s -p wg-compact-trees | filecheck %s
// RUN: ocl-opt %s -p wg-compact-trees --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Two levels of a tree: what is read after the first one are its sums.
// REMARK: wg_compact_trees.mlir:[[# @LINE + 12]]:3: remark: 4 results side by side [wg-compact-trees]
// REMARK: wg_compact_trees.mlir:[[# @LINE + 19]]:3: remark: 2 results side by side [wg-compact-trees]
// REMARK: remark: 4 results side by side
// REMARK: remark: 4 results side by side
// REMARK-NOT: remark
wg.func @tree(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 8, 1, 1>} {
  %t = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x i32>, local>
  %p = ocl.cast %t : !ocl.ptr<!ocl.array<8 x i32>, local> to !ocl.ptr<i32, local>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : index
  wg.parallel (%x, %y, %z) in (%c4, %c1, %c1) {
    %i = arith.muli %x, %c2 : index
    %j = arith.addi %i, %c1 : index
    %a = ocl.load %p[%i] : !ocl.ptr<i32, local>
    %b = ocl.load %p[%j] : !ocl.ptr<i32, local>
    %c = arith.addi %a, %b : i32
    ocl.store %c, %p[%i] : !ocl.ptr<i32, local>
  }
  wg.parallel (%x, %y, %z) in (%c2, %c1, %c1) {
    %i = arith.muli %x, %c4 : index
    %j = arith.addi %i, %c2 : index
    %a = ocl.load %p[%i] : !ocl.ptr<i32, local>
    %b = ocl.load %p[%j] : !ocl.ptr<i32, local>
    %c = arith.addi %a, %b : i32
    ocl.store %c, %p[%i] : !ocl.ptr<i32, local>
  }
  wg.parallel (%x, %y, %z) in (%c1, %c1, %c1) {
    %a = ocl.load %p[%zero] : !ocl.ptr<i32, local>
    ocl.store %a, %out : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @tree
// CHECK:           %t = ocl.local_alloc : !ocl.ptr<!ocl.array<4 x i32>, local>
// CHECK-NEXT:      %[[FIRST:[0-9]+]] = ocl.cast %t
// CHECK-NEXT:      %t_1 = ocl.local_alloc : !ocl.ptr<!ocl.array<2 x i32>, local>
// CHECK-NEXT:      %[[SECOND:[0-9]+]] = ocl.cast %t_1
// CHECK:             ocl.store %c, %[[FIRST]][%x] : !ocl.ptr<i32, local>
// CHECK:             %[[EVEN:[0-9]+]] = arith.muli %x_1, %{{[0-9]+}} : index
// CHECK-NEXT:        %a_1 = ocl.load %[[FIRST]][%[[EVEN]]] : !ocl.ptr<i32, local>
// CHECK:             %b_1 = ocl.load %[[FIRST]][%{{[0-9]+}}] : !ocl.ptr<i32, local>
// CHECK:             ocl.store %c_1, %[[SECOND]][%x_1] : !ocl.ptr<i32, local>
// CHECK:             %a_2 = ocl.load %[[SECOND]][%{{[0-9]+}}] : !ocl.ptr<i32, local>

// The elements between those that are stored are read, too.
wg.func @all(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 8, 1, 1>} {
  %t = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x i32>, local>
  %p = ocl.cast %t : !ocl.ptr<!ocl.array<8 x i32>, local> to !ocl.ptr<i32, local>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  wg.parallel (%x, %y, %z) in (%c4, %c1, %c1) {
    %i = arith.muli %x, %c2 : index
    %a = ocl.load %p[%i] : !ocl.ptr<i32, local>
    ocl.store %a, %p[%i] : !ocl.ptr<i32, local>
  }
  wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
    %a = ocl.load %p[%x] : !ocl.ptr<i32, local>
    ocl.store %a, %out[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @all
// CHECK:             ocl.store %a, %p[%i] : !ocl.ptr<i32, local>

// A work-item reads what it has stored.
wg.func @again(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 8, 1, 1>} {
  %t = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x i32>, local>
  %p = ocl.cast %t : !ocl.ptr<!ocl.array<8 x i32>, local> to !ocl.ptr<i32, local>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %v = arith.constant 7 : i32
  %zero = arith.constant 0 : index
  wg.parallel (%x, %y, %z) in (%c4, %c1, %c1) {
    %i = arith.muli %x, %c2 : index
    ocl.store %v, %p[%i] : !ocl.ptr<i32, local>
    %a = ocl.load %p[%i] : !ocl.ptr<i32, local>
    ocl.store %a, %out[%x] : !ocl.ptr<i32, global>
  }
  wg.parallel (%x, %y, %z) in (%c1, %c1, %c1) {
    %a = ocl.load %p[%zero] : !ocl.ptr<i32, local>
    ocl.store %a, %out : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @again
// CHECK:             ocl.store %v, %p[%i] : !ocl.ptr<i32, local>

// An unsigned sum of ids that fits 32 bits is followed, one that may wrap is not.
wg.func @unsigned(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 8, 1, 1>} {
  %t = ocl.local_alloc : !ocl.ptr<!ocl.array<16 x i32>, local>
  %p = ocl.cast %t : !ocl.ptr<!ocl.array<16 x i32>, local> to !ocl.ptr<i32, local>
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %two = arith.constant 2 : i32
  %more = arith.constant 0 : i32
  %v = arith.constant 7 : i32
  wg.parallel (%x, %y, %z) in (%c4, %c1, %c1) {
    %n = arith.index_cast %x : index to i32
    %m = arith.muli %n, %two : i32
    %k = arith.addi %m, %more : i32
    %w = arith.extui %k : i32 to i64
    %i = arith.index_cast %w : i64 to index
    ocl.store %v, %p[%i] : !ocl.ptr<i32, local>
  }
  wg.parallel (%x, %y, %z) in (%c1, %c1, %c1) {
    %zero = arith.constant 0 : index
    %a = ocl.load %p[%zero] : !ocl.ptr<i32, local>
    ocl.store %a, %out : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @unsigned
// CHECK:             ocl.store %v, %{{[0-9]+}}[%x] : !ocl.ptr<i32, local>

wg.func @wraps(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 8, 1, 1>} {
  %t = ocl.local_alloc : !ocl.ptr<!ocl.array<16 x i32>, local>
  %p = ocl.cast %t : !ocl.ptr<!ocl.array<16 x i32>, local> to !ocl.ptr<i32, local>
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %two = arith.constant 2 : i32
  %more = arith.constant -2 : i32
  %v = arith.constant 7 : i32
  wg.parallel (%x, %y, %z) in (%c4, %c1, %c1) {
    %n = arith.index_cast %x : index to i32
    %m = arith.muli %n, %two : i32
    %k = arith.addi %m, %more : i32
    %w = arith.extui %k : i32 to i64
    %i = arith.index_cast %w : i64 to index
    ocl.store %v, %p[%i] : !ocl.ptr<i32, local>
  }
  wg.parallel (%x, %y, %z) in (%c1, %c1, %c1) {
    %zero = arith.constant 0 : index
    %a = ocl.load %p[%zero] : !ocl.ptr<i32, local>
    ocl.store %a, %out : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @wraps
// CHECK:             ocl.store %v, %p[%i] : !ocl.ptr<i32, local>

// What is stored begins with the second element. Groups at a border have a version of their own of
// what runs before.
wg.func @ends_of_pairs(%in: !ocl.ptr<i32, global> {ocl.name = "in"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 8, 1, 1>} {
  %t = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x i32>, local>
  %p = ocl.cast %t : !ocl.ptr<!ocl.array<8 x i32>, local> to !ocl.ptr<i32, local>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %last = arith.constant 7 : index
  %border = arith.cmpi eq, %n, %zero : i32
  scf.if %border {
    wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
      ocl.store %zero, %p[%x] : !ocl.ptr<i32, local>
    }
  } else {
    wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
      %a = ocl.load %in[%x] : !ocl.ptr<i32, global>
      ocl.store %a, %p[%x] : !ocl.ptr<i32, local>
    }
  }
  wg.parallel (%x, %y, %z) in (%c4, %c1, %c1) {
    %i = arith.muli %x, %c2 : index
    %j = arith.addi %i, %c1 : index
    %a = ocl.load %p[%i] : !ocl.ptr<i32, local>
    %b = ocl.load %p[%j] : !ocl.ptr<i32, local>
    %c = arith.addi %a, %b : i32
    ocl.store %c, %p[%j] : !ocl.ptr<i32, local>
  }
  wg.parallel (%x, %y, %z) in (%c1, %c1, %c1) {
    %a = ocl.load %p[%last] : !ocl.ptr<i32, local>
    ocl.store %a, %out : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @ends_of_pairs
// CHECK:           %t = ocl.local_alloc : !ocl.ptr<!ocl.array<4 x i32>, local>
// CHECK-NEXT:      %[[SUMS:[0-9]+]] = ocl.cast %t
// CHECK:           ocl.store %c, %[[SUMS]][%x_2] : !ocl.ptr<i32, local>
// CHECK:           %[[LAST:.*]] = arith.constant 3 : index
// CHECK-NEXT:      ocl.load %[[SUMS]][%[[LAST]]] : !ocl.ptr<i32, local>
