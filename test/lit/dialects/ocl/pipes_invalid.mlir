// RUN: OCL_INVALID

// CHECK: packets are in global memory, got !ocl.ptr<f32, local>
ocl.kernel @k(%p: !ocl.pipe<read> {ocl.name = "p"}, %i: i32 {ocl.name = "i"}) {
  %r = ocl.pipe_reserve %p, %i : !ocl.pipe<read>
  %a = ocl.pipe_packet %p, %r, %i : !ocl.pipe<read> -> !ocl.ptr<f32, local>
  ocl.return
}
