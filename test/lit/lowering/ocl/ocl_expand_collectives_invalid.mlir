// RUN: ocl-opt %s -p ocl-expand-collectives --split-input-file --verify-diagnostics | filecheck %s

// CHECK: 'ocl.group_reduce' of a work-group needs a constant local size
ocl.kernel @sum(%x: i32 {ocl.name = "x"}) {
  %s = ocl.group_reduce work_group add %x : i32
  ocl.return
}
