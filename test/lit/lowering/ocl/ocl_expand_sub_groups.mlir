// RUN: ocl-opt %s -p ocl-expand-sub-groups | filecheck %s

// A sub-group is a row of 16 work-items. Without a known size, their order is that of the linear
// local ids.

ocl.kernel @any_size(%o: !ocl.ptr<i64, global> {ocl.name = "o"}) {
  %lane = ocl.sub_group local_id : index
  %0 = arith.index_cast %lane : index to i64
  ocl.store %0, %o : !ocl.ptr<i64, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @any_size
// CHECK-NEXT:    %0 = ocl.local_size 0 : index
// CHECK-NEXT:    %1 = ocl.local_size 1 : index
// CHECK-NEXT:    %2 = ocl.local_size 2 : index
// CHECK-NEXT:    %3 = ocl.local_id 0 : index
// CHECK-NEXT:    %4 = ocl.local_id 1 : index
// CHECK-NEXT:    %5 = ocl.local_id 2 : index
// CHECK-NEXT:    %6 = arith.muli %5, %1 : index
// CHECK-NEXT:    %7 = arith.addi %6, %4 : index
// CHECK-NEXT:    %8 = arith.muli %7, %0 : index
// CHECK-NEXT:    %9 = arith.addi %8, %3 : index
// CHECK-NEXT:    %10 = arith.constant 15 : index
// CHECK-NEXT:    %lane = arith.andi %9, %10 : index


// Whole sub-groups along x: the other ids do not matter. The kernel requires sub-groups of 8.

ocl.kernel @rows(%o: !ocl.ptr<i64, global> {ocl.name = "o"}) attributes {reqd_work_group_size = array<i64: 24, 4, 1>, ocl.sub_group_size = 8 : i32} {
  %lane = ocl.sub_group local_id : index
  %most = ocl.sub_group max_size : index
  %count = ocl.sub_group count : index
  %sum = arith.addi %lane, %most : index
  %all = arith.addi %sum, %count : index
  %0 = arith.index_cast %all : index to i64
  ocl.store %0, %o : !ocl.ptr<i64, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @rows
// CHECK:         [[X:%[0-9]+]] = ocl.local_id 0 : index
// CHECK:         [[SEVEN:%[0-9]+]] = arith.constant 7 : index
// CHECK-NEXT:    %lane = arith.andi [[X]], [[SEVEN]] : index
// CHECK-NEXT:    %most = arith.constant 8 : index
// CHECK:         [[ITEMS:%[0-9]+]] = arith.constant 96 : index
// CHECK:         %count = arith.divui {{%[0-9]+}}, {{%[0-9]+}} : index


// The last sub-group of a group may be smaller.

ocl.kernel @partial(%o: !ocl.ptr<i64, global> {ocl.name = "o"}) attributes {reqd_work_group_size = array<i64: 20, 1, 1>} {
  %size = ocl.sub_group size : index
  %0 = arith.index_cast %size : index to i64
  ocl.store %0, %o : !ocl.ptr<i64, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @partial
// CHECK:         [[FIRST:%[0-9]+]] = arith.andi {{%[0-9]+}}, {{%[0-9]+}} : index
// CHECK:         [[ITEMS:%[0-9]+]] = arith.constant 20 : index
// CHECK-NEXT:    [[LEFT:%[0-9]+]] = arith.subi [[ITEMS]], [[FIRST]] : index
// CHECK-NEXT:    [[WIDTH:%[0-9]+]] = arith.constant 16 : index
// CHECK-NEXT:    %size = arith.minui [[LEFT]], [[WIDTH]] : index
