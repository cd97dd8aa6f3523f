// RUN: ocl-opt %s -p 'ocl-set-local-size{size=64,2}' --split-input-file --verify-diagnostics | filecheck %s
// RUN: ocl-opt %s -p 'ocl-set-local-size{size=0}' --split-input-file --verify-diagnostics | filecheck %s --check-prefix=SIZE
// RUN: ocl-opt %s -p 'ocl-set-local-size{size=8 kernel=other}' --split-input-file --verify-diagnostics | filecheck %s --check-prefix=NAME

// CHECK: kernel 'k' requires the local size 64x1x1 (reqd_work_group_size), it cannot be specialised for 64x2x1
// SIZE: ocl-set-local-size: size must be one to three positive numbers, got '0'
// NAME: ocl-set-local-size: no kernel 'other'; the module has: k
ocl.kernel @k() attributes {reqd_work_group_size = array<i64: 64, 1, 1>} {
  ocl.return
}
