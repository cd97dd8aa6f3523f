// RUN: ocl-opt %s --cl-std CL2.0 | filecheck %s
// Functions on pipes are made of reservations by a work-item, commits and addresses of packets.

// One packet: reserved, copied and committed, or a negative result.
// CHECK-LABEL: ocl.kernel @one(%p: !ocl.pipe<read> {ocl.name = "p", ocl.type = "pipe float"}
kernel void one(read_only pipe float p, global float *o, global int *status) {
  // CHECK:      [[R:%.*]] = ocl.pipe_reserve %p, %{{.*}} : !ocl.pipe<read>
  // CHECK:      arith.cmpi sge, [[R]]
  // CHECK:      scf.if
  // CHECK:      [[A:%.*]] = ocl.pipe_packet %p, [[R]], %{{.*}} : !ocl.pipe<read> -> !ocl.ptr<f32, global>
  // CHECK-NEXT: [[V:%.*]] = ocl.load [[A]]
  // CHECK-NEXT: ocl.store [[V]], %o
  // CHECK-NEXT: ocl.pipe_commit %p, [[R]] : !ocl.pipe<read>
  *status = read_pipe(p, o);
}

// A reservation of the work-group is that of its first work-item, as is its commit, after a barrier.
// CHECK-LABEL: ocl.kernel @group
kernel void group(write_only pipe int2 q, global int2 *in) {
  // CHECK:      scf.if
  // CHECK:      ocl.pipe_reserve %q, %{{.*}} : !ocl.pipe<write>
  // CHECK:      ocl.group_reduce work
  reserve_id_t r = work_group_reserve_write_pipe(q, get_local_size(0));
  // CHECK:      ocl.pipe_packet %q, {{.*}} -> !ocl.ptr<vector<2xi32>, global>
  // CHECK:      ocl.barrier
  // CHECK:      scf.if
  // CHECK-NEXT: ocl.pipe_commit %q
  if (is_valid_reserve_id(r)) {
    write_pipe(q, r, get_local_id(0), &in[get_global_id(0)]);
    work_group_commit_write_pipe(q, r);
  }
}
