// RUN: ocl-opt %s -p ocl-round-guards | filecheck %s
// RUN: ocl-opt %s -p ocl-round-guards --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Groups of 8 have 16 columns, two for each work-item; m is rounded down to a multiple of 16. If the
// multiples are equal, no work-item is inside, since 2 * x is not below zero: all agree with the
// first one. The truncation of the sum loses nothing below 16.

// REMARK: ocl_round_guards.mlir:[[# @LINE + 17]]:3: remark: the same for all work-items of a group [ocl-round-guards]

ocl.kernel @tile(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %m: i32 {ocl.name = "m"})
    attributes {reqd_work_group_size = array<i64: 8, 1, 1>} {
  %c2 = arith.constant 2 : i64
  %c16 = arith.constant 16 : i32
  %x = ocl.local_id 0 : index
  %wide = arith.index_cast %x : index to i64
  %column = arith.muli %wide, %c2 : i64
  %group = ocl.group_id 0 : index
  %g = arith.index_cast %group : index to i32
  %first = arith.muli %g, %c16 : i32
  %start = arith.extsi %first : i32 to i64
  %sum = arith.addi %column, %start : i64
  %i = arith.trunci %sum : i64 to i32
  %tiles = arith.divsi %m, %c16 : i32
  %end = arith.muli %tiles, %c16 : i32
  %inside = arith.cmpi slt, %i, %end : i32
  scf.if %inside {
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    ocl.barrier local
    ocl.store %v, %a[%x] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @tile
// CHECK:         %[[FIRST:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %wide_1 = arith.index_cast %[[FIRST]] : index to i64
// CHECK-NEXT:    %column_1 = arith.muli %wide_1, %c2 : i64
// CHECK-NEXT:    %sum_1 = arith.addi %column_1, %start : i64
// CHECK-NEXT:    %i_1 = arith.trunci %sum_1 : i64 to i32
// CHECK-NEXT:    %inside = arith.cmpi slt, %i_1, %end : i32

// Where m is rounded down to a multiple of 8, half a group may be inside. So it may be if the first
// number is `16 * g - 1`, and where an i8, which has no multiple of 256, may have wrapped.

ocl.kernel @half(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %m: i32 {ocl.name = "m"})
    attributes {reqd_work_group_size = array<i64: 16, 1, 1>} {
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %c256 = arith.constant 256 : i32
  %mask = arith.constant -8 : i32
  %x = ocl.local_id 0 : index
  %column = arith.index_cast %x : index to i32
  %group = ocl.group_id 0 : index
  %g = arith.index_cast %group : index to i32
  %first = arith.muli %g, %c16 : i32
  %i = arith.addi %first, %column : i32
  %end = arith.andi %m, %mask : i32
  %inside = arith.cmpi slt, %i, %end : i32
  %before = arith.subi %i, %c1 : i32
  %left = arith.cmpi slt, %before, %first : i32
  %far = arith.muli %column, %c16 : i32
  %byte = arith.trunci %far : i32 to i8
  %same = arith.extsi %byte : i8 to i32
  %round = arith.muli %m, %c256 : i32
  %small = arith.cmpi slt, %same, %round : i32
  %both = arith.andi %inside, %left : i1
  %all = arith.andi %both, %small : i1
  scf.if %all {
    ocl.barrier local
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @half
// CHECK:         %inside = arith.cmpi slt, %i, %end : i32
// CHECK:         %left = arith.cmpi slt, %before, %first : i32
// CHECK:         %small = arith.cmpi slt, %same, %round : i32
