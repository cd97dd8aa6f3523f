// RUN: ocl-opt %s -t cpu-assembly | filecheck %s

// The target cpu-assembly: the machine code of this machine; every one returns with ret.

// CHECK: nothing:
// CHECK: ret
llvm.func @nothing() {
  llvm.return
}
