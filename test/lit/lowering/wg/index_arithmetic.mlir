// RUN: ocl-opt %s -p index-arithmetic | filecheck %s

// int i = get_group_id(0) * 64 + get_local_id(0), where the ids have 64 bits.
wg.func @k(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %n: i64 {ocl.name = "n"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %c64 = arith.constant 64 : i64
  %group = ocl.group_id 0 : index
  %g = arith.index_cast %group : index to i64
  %first = arith.muli %g, %c64 : i64
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %l = arith.index_cast %x : index to i64
    %i = arith.addi %first, %l : i64
    %i32 = arith.trunci %i : i64 to i32
    %at = arith.index_cast %i : i64 to index
    ocl.store %i32, %out[%at] : !ocl.ptr<i32, global>
    %m = arith.addi %l, %n : i64
    %to = arith.index_cast %m : i64 to index
    ocl.store %i32, %out[%to] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK:           %group = ocl.group_id 0 : index
// CHECK-NEXT:      %[[C:.*]] = arith.constant 64 : index
// CHECK-NEXT:      %first = arith.muli %group, %[[C]] : index
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
// CHECK-NEXT:        %l = arith.index_cast %x : index to i64
// CHECK-NEXT:        %i = arith.addi %first, %x : index
// CHECK-NEXT:        %i32 = arith.index_cast %i : index to i32
// CHECK-NEXT:        ocl.store %i32, %out[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:        %m = arith.addi %l, %n : i64

// Twice a group's first id is below 2^32, and four times is not: there the sum may wrap.
wg.func @unsigned(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %group = ocl.group_id 0 : index
  %g = arith.index_cast %group : index to i32
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %l = arith.index_cast %x : index to i32
    %twice = arith.muli %g, %c128 : i32
    %a = arith.addi %twice, %l : i32
    %wide = arith.extui %a : i32 to i64
    %i = arith.index_cast %wide : i64 to index
    ocl.store %a, %out[%i] : !ocl.ptr<i32, global>
    %four = arith.muli %g, %c256 : i32
    %b = arith.addi %four, %l : i32
    %wide2 = arith.extui %b : i32 to i64
    %j = arith.index_cast %wide2 : i64 to index
    ocl.store %b, %out[%j] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @unsigned
// CHECK:         %[[TWICE:.*]] = arith.muli %group, %{{.*}} : index
// CHECK-NEXT:    %[[SUM:.*]] = arith.addi %[[TWICE]], %x : index
// CHECK:         ocl.store %a, %out[%[[SUM]]]
// CHECK:         %wide2 = arith.extui %b : i32 to i64
// CHECK-NEXT:    %j = arith.index_cast %wide2 : i64 to index
// CHECK-NEXT:    ocl.store %b, %out[%j]

// A uchar that counts to 8 is an index; one that counts to 300 wraps.
wg.func @counters(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c300 = arith.constant 300 : index
  scf.for %a = %c0 to %c8 step %c1 {
    %b = arith.index_cast %a : index to i8
    %c = arith.extui %b : i8 to i32
    ocl.store %c, %out : !ocl.ptr<i32, global>
  }
  scf.for %d = %c0 to %c300 step %c1 {
    %e = arith.index_cast %d : index to i8
    %f = arith.extui %e : i8 to i32
    ocl.store %f, %out : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @counters
// CHECK:           scf.for %a =
// CHECK-NEXT:        %c = arith.index_cast %a : index to i32
// CHECK-NEXT:        ocl.store %c
// CHECK:             %f = arith.extui %e : i8 to i32

// int i = get_local_id(0) + 2147483640u; is negative for some: 32 bits do not hold the sum.
wg.func @cut(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %c2147483640 = arith.constant 2147483640 : i64
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %l = arith.index_cast %x : index to i64
    %i = arith.addi %l, %c2147483640 : i64
    %i32 = arith.trunci %i : i64 to i32
    ocl.store %i32, %out[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @cut
// CHECK:         %i = arith.addi %x, %{{.*}} : index
// CHECK-NEXT:    %[[WIDE:.*]] = arith.index_cast %i : index to i64
// CHECK-NEXT:    %i32 = arith.trunci %[[WIDE]] : i64 to i32

// A bit above those of an id is added; one among them is not.
wg.func @bits(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %far = arith.constant 64 : i32
  %near = arith.constant 32 : i32
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %l = arith.index_cast %x : index to i32
    %a = arith.ori %l, %far : i32
    %b = arith.ori %near, %l : i32
    %c = arith.xori %far, %l : i32
    %d = arith.xori %a, %far : i32
    ocl.store %a, %out : !ocl.ptr<i32, global>
    ocl.store %b, %out : !ocl.ptr<i32, global>
    ocl.store %c, %out : !ocl.ptr<i32, global>
    ocl.store %d, %out : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @bits
// CHECK:           arith.addi %l, %far : i32
// CHECK-NEXT:      arith.ori %near, %l : i32
// CHECK-NEXT:      arith.addi %l, %far : i32
// CHECK-NEXT:      arith.xori %{{.*}}, %far : i32

// So is a column below 8 to a row of 8, and not one below 16. The complement of x is -1 - x.
wg.func @rows(%in: !ocl.ptr<i32, global> {ocl.name = "in"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %three = arith.constant 3 : i32
  %seven = arith.constant 7 : i32
  %fifteen = arith.constant 15 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %i = ocl.load %in[%x] : !ocl.ptr<i32, global>
    %row = arith.shli %i, %three : i32
    %column = arith.andi %i, %seven : i32
    %previous = arith.subi %column, %one : i32
    %left = arith.maxsi %previous, %zero : i32
    %far = arith.andi %i, %fifteen : i32
    %a = arith.ori %row, %left : i32
    %b = arith.ori %column, %row : i32
    %c = arith.ori %row, %far : i32
    %d = arith.ori %row, %previous : i32
    %all = arith.constant -1 : i32
    %e = arith.xori %previous, %all : i32
    ocl.store %e, %in[%x] : !ocl.ptr<i32, global>
    ocl.store %a, %in[%x] : !ocl.ptr<i32, global>
    ocl.store %b, %in[%x] : !ocl.ptr<i32, global>
    ocl.store %c, %in[%x] : !ocl.ptr<i32, global>
    ocl.store %d, %in[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @rows
// CHECK:           arith.addi %left, %row : i32
// CHECK-NEXT:      arith.addi %column, %row : i32
// CHECK-NEXT:      arith.ori %row, %far : i32
// CHECK-NEXT:      arith.ori %row, %previous : i32
// CHECK:           arith.subi %all, %previous : i32
