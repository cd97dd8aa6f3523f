// RUN: ocl-opt %s -p "promote-private-memory,widen-indices,leave-unrolling,scf-to-cf,ocl-to-nvvm" -t llvm-ir | filecheck %s
// RUN: ocl-opt %s -p "promote-private-memory,widen-indices,leave-unrolling,scf-to-cf,ocl-to-nvvm" -t ptx | filecheck %s --check-prefix=PTX

// LLVM does not unroll a walk down a column; ptxas may.
// CHECK-LABEL: @"column"
// CHECK: br label %{{.*}}, !llvm.loop
// CHECK: !"llvm.loop.unroll.runtime.disable"
// PTX-LABEL: .entry column
// PTX-NOT: nounroll
// PTX: ld.global
// PTX-NOT: ld.global
kernel void column(global float *y, global const float *x, int n, int width) {
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i * width];
  y[0] = sum;
}
