// RUN: ocl-opt %s -p ocl-to-spir --split-input-file --verify-diagnostics | filecheck %s

// CHECK: 'ocl.group_reduce': sub-groups have no form in SPIR-V here yet
ocl.kernel @group(%x: i32 {ocl.name = "x"}) {
  %s = ocl.group_reduce sub_group add %x : i32
  ocl.return
}

// -----

// CHECK: a barrier of a sub-group has no form in SPIR-V here yet
ocl.kernel @barrier() {
  ocl.barrier sub_group local
  ocl.return
}
