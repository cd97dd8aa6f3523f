// RUN: ocl-opt %s -p 'ocl-set-local-size{size=5 enqueued=64}' | filecheck %s
// RUN: ocl-opt %s -p 'ocl-set-local-size{size=5 enqueued=64},ocl-to-wg' | filecheck %s --check-prefix=GROUP
// RUN: ocl-opt %s -p 'ocl-to-wg' | filecheck %s --check-prefix=ANY

// The last groups of a non-uniform launch are smaller than those before. Their first work-item still
// has a global id that is a multiple of the local size given at the launch.

ocl.kernel @k(%x: !ocl.ptr<i32, global> {ocl.name = "x"}) attributes {ocl.non_uniform} {
  %i = ocl.global_id 0 : index
  %n = ocl.local_size 0 : index
  %m = ocl.enqueued_local_size 0 : index
  %sum = arith.addi %n, %m : index
  %v = arith.index_cast %sum : index to i32
  ocl.store %v, %x[%i] : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK: attributes {reqd_work_group_size = array<i64: 5, 1, 1>, ocl.non_uniform, ocl.enqueued_local_size = array<i64: 64, 1, 1>}
// CHECK-NEXT:    %i = ocl.global_id 0 : index
// CHECK-NEXT:    %n = arith.constant 5 : index
// CHECK-NEXT:    %m = arith.constant 64 : index

// GROUP:         %lx = arith.constant 5 : index
// GROUP:         [[GROUP_ID:%.*]] = ocl.group_id 0 : index
// GROUP-NEXT:    [[OFFSET:%.*]] = ocl.global_offset 0 : index
// GROUP-NEXT:    [[SIZE:%.*]] = arith.constant 64 : index
// GROUP-NEXT:    [[START:%.*]] = arith.muli [[GROUP_ID]], [[SIZE]] : index
// GROUP-NEXT:    %first_x = arith.addi [[START]], [[OFFSET]] : index

// Without a size both are queries.

// ANY:           %lx = ocl.local_size 0 : index
// ANY:           [[SIZE:%.*]] = ocl.enqueued_local_size 0 : index
// ANY-NEXT:      [[START:%.*]] = arith.muli %{{.*}}, [[SIZE]] : index
