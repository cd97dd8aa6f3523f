// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

// CHECK-LABEL: ocl.kernel @pipes(%in: !ocl.pipe<read> {ocl.name = "in"}, %out: !ocl.pipe<write> {ocl.name = "out"})
ocl.kernel @pipes(%in: !ocl.pipe<read> {ocl.name = "in"}, %out: !ocl.pipe<write> {ocl.name = "out"}) {
  %n = arith.constant 2 : i32
  // CHECK: %r = ocl.pipe_reserve %in, %n : !ocl.pipe<read>
  %r = ocl.pipe_reserve %in, %n : !ocl.pipe<read>
  // CHECK: %a = ocl.pipe_packet %in, %r, %n : !ocl.pipe<read> -> !ocl.ptr<vector<4xf32>, global>
  %a = ocl.pipe_packet %in, %r, %n : !ocl.pipe<read> -> !ocl.ptr<vector<4xf32>, global>
  // CHECK: ocl.pipe_commit %in, %r : !ocl.pipe<read>
  ocl.pipe_commit %in, %r : !ocl.pipe<read>
  // CHECK: %m = ocl.pipe_query max_packets %out : !ocl.pipe<write>
  %m = ocl.pipe_query max_packets %out : !ocl.pipe<write>
  // CHECK: %k = ocl.pipe_query num_packets %out : !ocl.pipe<write>
  %k = ocl.pipe_query num_packets %out : !ocl.pipe<write>
  ocl.return
}
