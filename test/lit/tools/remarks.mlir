// RUN: ocl-opt %s -p ocl-to-wg --remarks 2>&1 >/dev/null | filecheck %s

// CHECK: remarks.mlir:[[# @LINE + 1]]:1: remark: context memory: 4 bytes a work-item (v: f32) [ocl-to-wg]
ocl.kernel @rotate(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %t: !ocl.ptr<f32, local> {ocl.name = "t"}) {
  %l = ocl.local_id 0 : index
  %g = ocl.global_id 0 : index
  %v = ocl.load %x[%g] : !ocl.ptr<f32, global>
  ocl.store %v, %t[%l] : !ocl.ptr<f32, local>
  ocl.barrier local
  %first = arith.constant 0 : index
  %w = ocl.load %t[%first] : !ocl.ptr<f32, local>
  %u = arith.addf %w, %v : f32
  ocl.store %u, %x[%g] : !ocl.ptr<f32, global>
  ocl.return
}
