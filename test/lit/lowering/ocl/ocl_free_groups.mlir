// RUN: ocl-opt %s -p 'ocl-free-groups{size=64,8,1 guarded=0,1}' | filecheck %s
// RUN: ocl-opt %s -p 'ocl-free-groups{size=64,8,1}' | filecheck %s --check-prefix WHOLE
// RUN: ocl-opt %s -p 'ocl-free-groups{size=64,8,1}' --remarks 2>&1 >/dev/null | filecheck %s --check-prefix REMARK

// The local size is not required any more. Groups of 64 x 8 are more than the global size in x and
// y, and what is outside does nothing. Private memory stays at the top.
// CHECK-LABEL: ocl.kernel @k(%p: !ocl.ptr<i64, global> {ocl.name = "p"}) {
// CHECK-NEXT:    %mine = ocl.alloca : !ocl.ptr<i64, private>
// CHECK-NEXT:    %0 = ocl.global_offset 0 : index
// CHECK-NEXT:    %1 = ocl.global_size 0 : index
// CHECK-NEXT:    %2 = arith.addi %0, %1 : index
// CHECK-NEXT:    %3 = ocl.global_id 0 : index
// CHECK-NEXT:    %4 = arith.cmpi slt, %3, %2 : index
// CHECK-NEXT:    %5 = ocl.global_offset 1 : index
// CHECK-NEXT:    %6 = ocl.global_size 1 : index
// CHECK-NEXT:    %7 = arith.addi %5, %6 : index
// CHECK-NEXT:    %8 = ocl.global_id 1 : index
// CHECK-NEXT:    %9 = arith.cmpi slt, %8, %7 : index
// CHECK-NEXT:    %10 = arith.andi %4, %9 : i1
// CHECK-NEXT:    scf.if %10 {
// CHECK-NEXT:      %i = ocl.global_id 0 : index
// CHECK-NEXT:      %v = arith.index_cast %i : index to i64
// CHECK-NEXT:      ocl.store %v, %mine : !ocl.ptr<i64, private>
// CHECK-NEXT:      ocl.store %v, %p[%i] : !ocl.ptr<i64, global>
// CHECK-NEXT:    }
// CHECK-NEXT:    ocl.return

// Where the groups divide the global size, there is nothing to guard.
// WHOLE-LABEL: ocl.kernel @k(%p: !ocl.ptr<i64, global> {ocl.name = "p"}) {
// WHOLE-NOT:     scf.if

// REMARK: runs in groups of 64 x 8 x 1, as it does the same in all groups [ocl-free-groups]
ocl.kernel @k(%p: !ocl.ptr<i64, global> {ocl.name = "p"}) attributes {reqd_work_group_size = array<i64: 16, 16, 1>} {
  %mine = ocl.alloca : !ocl.ptr<i64, private>
  %i = ocl.global_id 0 : index
  %v = arith.index_cast %i : index to i64
  ocl.store %v, %mine : !ocl.ptr<i64, private>
  ocl.store %v, %p[%i] : !ocl.ptr<i64, global>
  ocl.return
}
