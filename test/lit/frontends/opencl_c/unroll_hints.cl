// RUN: ocl-opt %s | filecheck %s
// RUN: ocl-opt %s -t opencl-c | filecheck %s --check-prefix=C
// RUN: ocl-opt %s -p "promote-private-memory,simplify-loops,remove-dead-values,scf-to-cf" | filecheck %s --check-prefix=CF
// RUN: ocl-opt %s -p "promote-private-memory,scf-to-cf,ocl-to-nvvm" -t llvm-ir | filecheck %s --check-prefix=LLVM

// What a program says about a loop stays with it: `#pragma unroll` without a number is 0,
// `#pragma nounroll` 1. OpenCL C has it again, and in LLVM IR the branch back to the start.

// C: #pragma unroll 8
// C-NEXT: for (int k = 0; k < n; k++) {
// C: #pragma unroll
// C-NEXT: for (int k = 0; k < 16; k++) {
// C: #pragma unroll 4
// C-NEXT: for (int k = 0; k <= n; k++) {
// C: #pragma nounroll
// C: do {

// CF-COUNT-4: cf.br ^{{.*}} {ocl.unroll = {{[0148]}} : i32}

// LLVM: br label %{{.*}}, !llvm.loop ![[first:[0-9]+]]
// LLVM: ![[count:[0-9]+]] = !{ !"llvm.loop.unroll.count", i32 8 }
// LLVM-NEXT: ![[first]] = distinct !{ ![[first]], ![[count]] }
// LLVM: !{ !"llvm.loop.unroll.enable" }
// LLVM: !{ !"llvm.loop.unroll.count", i32 4 }
// LLVM: !{ !"llvm.loop.unroll.disable" }
kernel void sums(global int *x, int n) {
  int s = 0;
  // CHECK: {ocl.unroll = 8 : i32}
#pragma unroll 8
  for (int k = 0; k < n; k++) s += x[k];
  // CHECK: {ocl.unroll = 0 : i32}
#pragma unroll
  for (int k = 0; k < 16; k++) s += x[k];
  // CHECK: {ocl.unroll = 4 : i32, ocl.int_counter}
  __attribute__((opencl_unroll_hint(4))) for (int k = 0; k <= n; k++) s += x[k];
  // CHECK: attributes {ocl.unroll = 1 : i32}
#pragma nounroll
  do s += x[s & 15]; while (s < 20);
  x[0] = s;
}
