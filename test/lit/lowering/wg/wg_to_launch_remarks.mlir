// RUN: ocl-opt %s -p wg-to-launch --remarks 2>&1 | filecheck %s

// CHECK: remark: 80000 bytes of local memory lie in the scratch memory: a kernel has at most 65536 bytes on the stack [wg-to-launch]
wg.func @large() {
  %large = ocl.local_alloc : !ocl.ptr<!ocl.array<20000 x i32>, local>
  wg.return
}
