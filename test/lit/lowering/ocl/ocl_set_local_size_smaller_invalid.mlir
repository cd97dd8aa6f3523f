// RUN: ocl-opt %s -p 'ocl-set-local-size{size=5 enqueued=64}' --split-input-file --verify-diagnostics | filecheck %s
// RUN: ocl-opt %s -p 'ocl-set-local-size{size=5 enqueued=0}' --split-input-file --verify-diagnostics | filecheck %s --check-prefix=SIZE

// CHECK: kernel 'k' has groups of one size only; expected the attribute ocl.non_uniform for groups of 5x1x1 in a launch of 64x1x1
// SIZE: ocl-set-local-size: enqueued must be one to three positive numbers, got '0'
ocl.kernel @k() {
  ocl.return
}
