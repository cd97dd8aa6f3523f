// RUN: not ocl-opt %s -t opencl-c 2>&1 | filecheck %s
// CHECK: width_invalid.mlir:[[# @LINE + 3]]:3: error: OpenCL C has no type for i48
ocl.kernel @f(%x: !ocl.ptr<i32, global> {ocl.name = "x"}) {
  %a = ocl.load %x : !ocl.ptr<i32, global>
  %b = arith.extui %a : i32 to i48
  %c = arith.trunci %b : i48 to i32
  ocl.store %c, %x : !ocl.ptr<i32, global>
  ocl.return
}
