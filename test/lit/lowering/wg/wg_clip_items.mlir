// RUN: ocl-opt %s -p wg-clip-items | filecheck %s
// RUN: ocl-opt %s -p wg-clip-items --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// A level of a tree that reads before the barrier, and adds after it: one sum is read in the end.
// REMARK: remark: runs for 1 work-items along x: nobody reads what others store [wg-clip-items]
// REMARK: remark: runs for 1 work-items along x
// REMARK: remark: runs for 2 work-items along x
// REMARK: remark: does not run: nobody reads what it stores
// REMARK: remark: runs for 4 work-items along x
// REMARK: remark: runs for 4 work-items along x
// REMARK: remark: runs for 2 rows of 2 work-items along x: nobody reads what others store
// REMARK-NOT: remark
wg.func @level(%in: !ocl.ptr<i32, global> {ocl.name = "in"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 8, 1, 1>} {
  %0 = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x i32>, local>
  %t = ocl.cast %0 : !ocl.ptr<!ocl.array<8 x i32>, local> to !ocl.ptr<i32, local>
  %1 = ocl.alloca : !ocl.ptr<!ocl.array<8 x i32>, private>
  %v = ocl.cast %1 : !ocl.ptr<!ocl.array<8 x i32>, private> to !ocl.ptr<i32, private>
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
    %a = ocl.load %in[%x] : !ocl.ptr<i32, global>
    ocl.store %a, %t[%x] : !ocl.ptr<i32, local>
  }
  wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
    %is_low = arith.cmpi ult, %x, %c1 : index
    %a = scf.if %is_low -> (i32) {
      %i = arith.xori %x, %c1 : index
      %b = ocl.load %t[%i] : !ocl.ptr<i32, local>
      scf.yield %b : i32
    } else {
      scf.yield %zero : i32
    }
    ocl.store %a, %v[%x] : !ocl.ptr<i32, private>
  }
  wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
    %a = ocl.load %t[%x] : !ocl.ptr<i32, local>
    %b = ocl.load %v[%x] : !ocl.ptr<i32, private>
    %c = arith.addi %a, %b : i32
    ocl.store %c, %t[%x] : !ocl.ptr<i32, local>
  }
  wg.parallel (%x, %y, %z) in (%c1, %c1, %c1) {
    %a = ocl.load %t : !ocl.ptr<i32, local>
    ocl.store %a, %out : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @level
// CHECK:         %[[TWO:[0-9]+]] = arith.constant 2 : index
// CHECK-NEXT:    wg.parallel (%x, %y, %z) in (%[[TWO]], %c1, %c1) {
// CHECK:         wg.parallel (%x_1, {{.*}}) in (%{{[0-9]+}}, %c1, %c1) {
// CHECK-NOT:       scf.if
// CHECK:           %[[ONE:[0-9]+]] = arith.constant 1 : index
// CHECK-NEXT:      %b = ocl.load %t[%[[ONE]]] : !ocl.ptr<i32, local>
// CHECK-NEXT:      ocl.store %b, %v[%x_1] : !ocl.ptr<i32, private>
// CHECK-NEXT:    }

// Every second element is read: those in between do not run. Another array is not read at all.
wg.func @even(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 8, 1, 1>} {
  %0 = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x i32>, local>
  %t = ocl.cast %0 : !ocl.ptr<!ocl.array<8 x i32>, local> to !ocl.ptr<i32, local>
  %1 = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x i32>, local>
  %u = ocl.cast %1 : !ocl.ptr<!ocl.array<8 x i32>, local> to !ocl.ptr<i32, local>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
    %n = arith.index_cast %x : index to i32
    %low = arith.andi %n, %one : i32
    ocl.store %low, %t[%x] : !ocl.ptr<i32, local>
  }
  wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
    ocl.store %one, %u[%x] : !ocl.ptr<i32, local>
  }
  wg.parallel (%x, %y, %z) in (%c4, %c1, %c1) {
    %i = arith.muli %x, %c2 : index
    %a = ocl.load %t[%i] : !ocl.ptr<i32, local>
    ocl.store %a, %out[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @even
// CHECK:         %[[FOUR:[0-9]+]] = arith.constant 4 : index
// CHECK-NEXT:    wg.parallel (%x, %y, %z) in (%[[FOUR]], %c1, %c1) {
// CHECK-NEXT:      %{{[0-9]+}} = arith.constant 2 : index
// CHECK-NEXT:      %{{[0-9]+}} = arith.muli %x, %{{[0-9]+}} : index
// CHECK:           ocl.store %low, %t
// CHECK-NEXT:    }
// CHECK-NEXT:    wg.parallel (%x_{{[0-9]+}}, {{.*}}) in (%c4, %c1, %c1) {
// CHECK-NEXT:      %i =

// Data choose what is read, a loop reads all, an address is kept, and an access is volatile.
wg.func @refused(%in: !ocl.ptr<i32, global> {ocl.name = "in"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 8, 1, 1>} {
  %0 = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x i32>, local>
  %t = ocl.cast %0 : !ocl.ptr<!ocl.array<8 x i32>, local> to !ocl.ptr<i32, local>
  %1 = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x i32>, local>
  %u = ocl.cast %1 : !ocl.ptr<!ocl.array<8 x i32>, local> to !ocl.ptr<i32, local>
  %2 = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x i32>, local>
  %p = ocl.cast %2 : !ocl.ptr<!ocl.array<8 x i32>, local> to !ocl.ptr<i32, local>
  %3 = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x i32>, local>
  %w = ocl.cast %3 : !ocl.ptr<!ocl.array<8 x i32>, local> to !ocl.ptr<i32, local>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
    ocl.store %one, %t[%x] : !ocl.ptr<i32, local>
  }
  wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
    ocl.store %one, %u[%x] : !ocl.ptr<i32, local>
  }
  wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
    ocl.store %one, %p[%x] : !ocl.ptr<i32, local>
  }
  wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
    ocl.store volatile %one, %w[%x] : !ocl.ptr<i32, local>
  }
  scf.for %k = %c0 to %c8 step %c1 {
    wg.parallel (%x, %y, %z) in (%c1, %c1, %c1) {
      %a = ocl.load %u[%x] : !ocl.ptr<i32, local>
      ocl.store %a, %out[%k] : !ocl.ptr<i32, global>
    }
  }
  wg.parallel (%x, %y, %z) in (%c1, %c1, %c1) {
    %i = ocl.load %in : !ocl.ptr<i32, global>
    %j = arith.index_cast %i : i32 to index
    %a = ocl.load %t[%j] : !ocl.ptr<i32, local>
    %q = ocl.offset %p[%c1] : !ocl.ptr<i32, local>
    %b = ocl.load %q : !ocl.ptr<i32, local>
    %c = arith.addi %a, %b : i32
    ocl.store %c, %out : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @refused
// CHECK:         wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
// CHECK-NEXT:      ocl.store %one, %t
// CHECK:         wg.parallel ({{.*}}) in (%c8, %c1, %c1) {
// CHECK-NEXT:      ocl.store %one, %u
// CHECK:         wg.parallel ({{.*}}) in (%c8, %c1, %c1) {
// CHECK-NEXT:      ocl.store %one, %p
// CHECK:         wg.parallel ({{.*}}) in (%c8, %c1, %c1) {
// CHECK-NEXT:      ocl.store volatile %one, %w

// Work-items that read what others store in the same region race, but for those that take them for
// vectors, as sums for GPUs do.
wg.func @race(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 8, 1, 1>} {
  %0 = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x i32>, local>
  %t = ocl.cast %0 : !ocl.ptr<!ocl.array<8 x i32>, local> to !ocl.ptr<i32, local>
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
    %i = arith.xori %x, %c1 : index
    %a = ocl.load %t[%i] : !ocl.ptr<i32, local>
    ocl.store %a, %t[%x] : !ocl.ptr<i32, local>
  }
  wg.parallel (%x, %y, %z) in (%c1, %c1, %c1) {
    %a = ocl.load %t : !ocl.ptr<i32, local>
    ocl.store %a, %out : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @race
// CHECK:         wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
// CHECK-NEXT:      arith.xori

// What is stored again before it is read need not be stored, if it surely is.
wg.func @again(%in: !ocl.ptr<i32, global> {ocl.name = "in"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 8, 1, 1>} {
  %0 = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x i32>, local>
  %t = ocl.cast %0 : !ocl.ptr<!ocl.array<8 x i32>, local> to !ocl.ptr<i32, local>
  %1 = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x i32>, local>
  %u = ocl.cast %1 : !ocl.ptr<!ocl.array<8 x i32>, local> to !ocl.ptr<i32, local>
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
    ocl.store %one, %t[%x] : !ocl.ptr<i32, local>
  }
  wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
    ocl.store %one, %u[%x] : !ocl.ptr<i32, local>
  }
  wg.parallel (%x, %y, %z) in (%c4, %c1, %c1) {
    ocl.store %two, %t[%x] : !ocl.ptr<i32, local>
  }
  %c = arith.cmpi sgt, %n, %one : i32
  scf.if %c {
    wg.parallel (%x, %y, %z) in (%c4, %c1, %c1) {
      ocl.store %two, %u[%x] : !ocl.ptr<i32, local>
    }
  }
  wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
    %a = ocl.load %t[%x] : !ocl.ptr<i32, local>
    %b = ocl.load %u[%x] : !ocl.ptr<i32, local>
    %d = arith.addi %a, %b : i32
    ocl.store %d, %out[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @again
// CHECK:         %[[FOUR:[0-9]+]] = arith.constant 4 : index
// CHECK-NEXT:    wg.parallel (%x, %y, %z) in (%[[FOUR]], %c1, %c1) {
// CHECK:         wg.parallel ({{.*}}) in (%c8, %c1, %c1) {
// CHECK-NEXT:      ocl.store %one, %u

// Each second pair of work-items stores: they are rows of two, four apart. What they read is known
// by row and column, however it is written.
wg.func @rows(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 8, 1, 1>} {
  %0 = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x i32>, local>
  %t = ocl.cast %0 : !ocl.ptr<!ocl.array<8 x i32>, local> to !ocl.ptr<i32, local>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
    %bit = arith.andi %x, %c2 : index
    %go = arith.cmpi ne, %bit, %c0 : index
    scf.if %go {
      %row = arith.divui %x, %c4 : index
      %first = arith.muli %row, %c4 : index
      %before = arith.addi %first, %c1 : index
      %a = ocl.load %t[%before] : !ocl.ptr<i32, local>
      ocl.store %a, %t[%x] : !ocl.ptr<i32, local>
    }
  }
  wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
    %a = ocl.load %t[%x] : !ocl.ptr<i32, local>
    ocl.store %a, %out[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @rows
// CHECK:         wg.parallel (%x, %y, %z) in (%{{[0-9]+}}, %{{[0-9]+}}, %c1) {
// CHECK:           %[[ROW:.*]] = arith.muli %y, %{{.*}} : index
// CHECK-NEXT:      arith.addi %[[ROW]], %x : index
// CHECK-NOT:       scf.if
// CHECK:           arith.muli %y, %{{.*}} : index
// CHECK:           %a = ocl.load %t
// CHECK-NEXT:      ocl.store %a, %t

// Rows of two, the last of which has one work-item: all from the first to the last one run.
wg.func @part(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 7, 1, 1>} {
  %0 = ocl.local_alloc : !ocl.ptr<!ocl.array<7 x i32>, local>
  %t = ocl.cast %0 : !ocl.ptr<!ocl.array<7 x i32>, local> to !ocl.ptr<i32, local>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %one = arith.constant 1 : i32
  wg.parallel (%x, %y, %z) in (%c7, %c1, %c1) {
    %third = arith.constant 3 : index
    %rest = arith.remui %x, %third : index
    %go = arith.cmpi ne, %rest, %c2 : index
    scf.if %go {
      ocl.store %one, %t[%x] : !ocl.ptr<i32, local>
    }
  }
  wg.parallel (%x, %y, %z) in (%c7, %c1, %c1) {
    %a = ocl.load %t[%x] : !ocl.ptr<i32, local>
    ocl.store %a, %out[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @part
// CHECK:         wg.parallel (%x, %y, %z) in (%c7, %c1, %c1) {
// CHECK:           scf.if %go {

// The larger one of each pair: where it is there already, it is stored again. No other work-item
// accesses it.
wg.func @larger(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 4, 1, 1>} {
  %0 = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x i32>, local>
  %t = ocl.cast %0 : !ocl.ptr<!ocl.array<8 x i32>, local> to !ocl.ptr<i32, local>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  wg.parallel (%x, %y, %z) in (%c4, %c1, %c1) {
    %i = arith.muli %x, %c2 : index
    %j = arith.addi %i, %c1 : index
    %a = ocl.load %t[%i] : !ocl.ptr<i32, local>
    %b = ocl.load %t[%j] : !ocl.ptr<i32, local>
    %less = arith.cmpi slt, %a, %b : i32
    scf.if %less {
      ocl.store %b, %t[%i] : !ocl.ptr<i32, local>
    }
  }
  wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
    %a = ocl.load %t[%x] : !ocl.ptr<i32, local>
    ocl.store %a, %out[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @larger
// CHECK:           %less = arith.cmpi slt, %a, %b : i32
// CHECK-NEXT:      %[[ONE:.*]] = arith.select %less, %b, %a : i32
// CHECK-NEXT:      ocl.store %[[ONE]], %t[%i] : !ocl.ptr<i32, local>

// All work-items look at one element, and some may store the same number: the others store nothing.
wg.func @shared(%in: !ocl.ptr<i32, global> {ocl.name = "in"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 4, 1, 1>} {
  %0 = ocl.local_alloc : !ocl.ptr<!ocl.array<8 x i32>, local>
  %t = ocl.cast %0 : !ocl.ptr<!ocl.array<8 x i32>, local> to !ocl.ptr<i32, local>
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i32
  wg.parallel (%x, %y, %z) in (%c4, %c1, %c1) {
    %a = ocl.load %t[%c1] : !ocl.ptr<i32, local>
    %b = ocl.load %in[%x] : !ocl.ptr<i32, global>
    %less = arith.cmpi slt, %a, %b : i32
    scf.if %less {
      ocl.store %one, %t[%c1] : !ocl.ptr<i32, local>
    }
  }
  wg.parallel (%x, %y, %z) in (%c4, %c1, %c1) {
    %a = ocl.load %t[%x] : !ocl.ptr<i32, local>
    ocl.store %a, %out[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @shared
// CHECK:           scf.if %less {
// CHECK-NEXT:        ocl.store %one, %t[%c1] : !ocl.ptr<i32, local>
