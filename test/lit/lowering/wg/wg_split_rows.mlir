// RUN: ocl-opt %s -p wg-split-rows | filecheck %s
// RUN: ocl-opt %s -p wg-split-rows --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// A group is in one row if its first column leaves room for the others: then columns count up, and
// nothing is divided for each work-item. Else the part of the group that is in the first row runs,
// then that in the next row, unless rows are shorter than a vector.
// REMARK: wg_split_rows.mlir:[[# @LINE + 6]]:3: remark: split: without divisions where a group is in one row [wg-split-rows]
wg.func @k(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %width: i32 {ocl.name = "width"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %lx = arith.constant 64 : index
  %one = arith.constant 1 : index
  %group = ocl.group_id 0 : index
  %first = arith.muli %group, %lx : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %i = arith.addi %first, %x : index
    %id = arith.index_cast %i : index to i32
    %column = arith.remsi %id, %width : i32
    %row = arith.divsi %id, %width : i32
    %sum = arith.addi %row, %column : i32
    ocl.store %sum, %out[%i] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK:           %[[W:.*]] = arith.index_cast %width : i32 to index
// CHECK:           %[[D:.*]] = arith.maxsi %[[W]], %c1 : index
// CHECK-NEXT:      %[[ROW:.*]] = arith.divui %[[FIRST:.*]], %[[D]] : index
// CHECK-NEXT:      %[[COLUMN:.*]] = arith.remui %[[FIRST]], %[[D]] : index
// CHECK:           %[[LAST:.*]] = arith.addi %[[COLUMN]], %c63 : index
// CHECK-NEXT:      %[[FITS:.*]] = arith.cmpi slt, %[[LAST]], %[[W]] : index
// CHECK:           %[[SMALL:.*]] = arith.cmpi ult, %[[FIRST]], %c2147483585 : index
// CHECK-NEXT:      %[[ALL:.*]] = arith.andi %[[FITS]], %[[SMALL]] : i1
// CHECK-NEXT:      scf.if %[[ALL]] {
// CHECK-NEXT:        wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
// CHECK-NEXT:          %i = arith.addi %first, %x : index
// CHECK-NEXT:          %id = arith.index_cast %i : index to i32
// CHECK-NEXT:          %column = arith.addi %[[COLUMN]], %x : index
// CHECK-NEXT:          %{{.*}} = arith.index_cast %column : index to i32
// CHECK-NEXT:          %{{.*}} = arith.index_cast %[[ROW]] : index to i32
// CHECK:           } else {
// CHECK:             scf.if
// CHECK:               scf.while
// CHECK:               ^bb0(%start: index):
// CHECK:                 wg.parallel
// CHECK-NOT:               arith.rem
// CHECK:               } else {
// CHECK-NEXT:            wg.parallel
// CHECK:                   arith.remsi
// CHECK:                 } attributes {wg.rows_end}

// Where the group is in one image, its pixels count up, too: a second division by the same way.
// The other versions have their divisions, but those of the first kind row by row.
wg.func @images(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %width: i32 {ocl.name = "width"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %lx = arith.constant 64 : index
  %one = arith.constant 1 : index
  %group = ocl.group_id 0 : index
  %first = arith.muli %group, %lx : index
  %size = arith.muli %width, %width : i32
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %i = arith.addi %first, %x : index
    %id = arith.index_cast %i : index to i32
    %pixel = arith.remsi %id, %size : i32
    %column = arith.remsi %pixel, %width : i32
    ocl.store %column, %out[%i] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @images
// CHECK:         %[[PIXEL:.*]] = arith.remui
// CHECK:         scf.if
// CHECK:           %[[FIRST_COLUMN:.*]] = arith.remui %[[PIXEL]], %{{.*}} : index
// CHECK:           scf.if
// CHECK-NEXT:        wg.parallel
// CHECK:               %column = arith.addi %[[FIRST_COLUMN]], %x{{.*}} : index
// CHECK-NOT:           arith.rem
// CHECK:             scf.while
// CHECK:               wg.parallel
// CHECK-NOT:             arith.rem
// CHECK:             wg.parallel
// CHECK:               arith.remsi
// CHECK:             } attributes {wg.rows_end}
// CHECK:           scf.while
// CHECK:             wg.parallel
// CHECK:               arith.remsi
// CHECK-NOT:           arith.rem
// CHECK:           wg.parallel
// CHECK:             arith.remsi
// CHECK:             arith.remsi
// CHECK:           } attributes {wg.rows_end}

// The divisor differs between work-items.
// REMARK: remark: division kept: its divisor differs between work-items [wg-split-rows]
wg.func @divisor(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %lx = arith.constant 64 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %id = arith.index_cast %x : index to i32
    %r = arith.remsi %n, %id : i32
    ocl.store %r, %out[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @divisor
// CHECK-NOT:     scf.if

// The right neighbour of a column wraps at a border, which is no row of its own, in no version.
// REMARK: remark: division kept: its dividend is near a column of such a row: it wraps at a border [wg-split-rows]
wg.func @wraps(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %width: i32 {ocl.name = "width"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %c1 = arith.constant 1 : i32
  %g = ocl.group_id 0 : index
  %first = arith.muli %g, %lx : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %id = arith.addi %first, %x : index
    %i = arith.index_cast %id : index to i32
    %column = arith.remsi %i, %width : i32
    %next = arith.addi %column, %c1 : i32
    %right = arith.remsi %next, %width : i32
    %j = arith.index_cast %right : i32 to index
    ocl.store %i, %out[%j] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @wraps
// CHECK:         scf.if
// CHECK-NEXT:      wg.parallel
// CHECK-NOT:         arith.remsi %i
// CHECK:             %right = arith.remsi %next, %width {wg.wraps} : i32
// CHECK:         } else {

// A partner's number is a sum in a group with the same bits from the lowest one of the distance on.
wg.func @partner(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %distance: i32 {ocl.name = "distance"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %lx = arith.constant 64 : index
  %one = arith.constant 1 : index
  %group = ocl.group_id 0 : index
  %first = arith.muli %group, %lx : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %i = arith.addi %first, %x : index
    %id = arith.index_cast %i : index to i32
    %partner = arith.xori %id, %distance : i32
    %at = arith.index_cast %partner : i32 to index
    ocl.store %id, %out[%at] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @partner
// CHECK:         %[[D:.*]] = arith.index_cast %{{.*}} : i64 to index
// CHECK:         %[[MINUS:.*]] = arith.subi %{{.*}}, %[[D]] : index
// CHECK-NEXT:    %[[LOWEST:.*]] = arith.andi %[[D]], %[[MINUS]] : index
// CHECK:         scf.if
// CHECK-NEXT:      %[[OF_FIRST:.*]] = arith.xori %{{.*}}, %[[D]] : index
// CHECK-NEXT:      wg.parallel
// CHECK:             %[[SUM:.*]] = arith.addi %[[OF_FIRST]], %x : index
// CHECK:             ocl.store %{{.*}}, %out[%[[SUM]]]

// A group of any size: the number of the group times that is far below 2^63.
// REMARK: remark: split: without divisions where a group is in one row [wg-split-rows]
wg.func @large_group(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %width: i32 {ocl.name = "width"}) attributes {local_size = array<i64: 8192, 1, 1>} {
  %lx = arith.constant 8192 : index
  %one = arith.constant 1 : index
  %group = ocl.group_id 0 : index
  %first = arith.muli %group, %lx : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %i = arith.addi %first, %x : index
    %id = arith.index_cast %i : index to i32
    %column = arith.remsi %id, %width : i32
    ocl.store %column, %out[%i] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @large_group
// CHECK:         scf.if
// CHECK-NOT:       arith.remsi
// CHECK:         } else {

// An id that is cut to 8 bits is a remainder itself: it begins again within a group.
// REMARK: remark: division kept: unsigned arithmetic may wrap [wg-split-rows]
wg.func @cut(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %lx = arith.constant 64 : index
  %one = arith.constant 1 : index
  %mask = arith.constant 1023 : i32
  %group = ocl.group_id 0 : index
  %offset = ocl.global_offset 0 : index
  %begin = arith.muli %group, %lx : index
  %first = arith.addi %begin, %offset : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %i = arith.addi %first, %x : index
    %cut = arith.index_cast %i : index to i8
    %id = arith.extui %cut : i8 to i32
    %column = arith.andi %id, %mask : i32
    ocl.store %column, %out[%i] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @cut
// CHECK-NOT:     scf.if
// CHECK:         arith.andi

// A loop around the group: an iteration may be in one row.
// REMARK: remark: split: without divisions where a group is in one row [wg-split-rows]
wg.func @iterations(%out: !ocl.ptr<i32, global> {ocl.name = "out"}, %width: i32 {ocl.name = "width"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %lx = arith.constant 64 : index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.index_cast %n : i32 to index
  scf.for %k = %zero to %end step %lx {
    wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
      %i = arith.addi %k, %x : index
      %id = arith.index_cast %i : index to i32
      %column = arith.remsi %id, %width : i32
      ocl.store %column, %out[%i] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @iterations
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK-NOT:         arith.remsi
// CHECK:           } else {
