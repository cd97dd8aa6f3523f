// RUN: ocl-opt %s -p 'pattern-set-sizes{sizes="N=5"},pattern-to-ocl' | filecheck %s
// RUN: ocl-opt %s -p 'pattern-set-sizes{sizes="N=5"},pattern-to-ocl{async_copies=true}' | filecheck %s --check-prefix=ASYNC

// The sums of columns, by a group. Each work-item keeps its own sum in a register. The rows are
// copied to local memory two iterations before their use, so that there are three buffers, and one
// barrier in an iteration.

// CHECK: ocl.local_alloc : !ocl.ptr<!ocl.array<24 x f32>, local>
// CHECK: %[[item:.*]] = ocl.local_id 0 : index
// CHECK-NOT: ocl.barrier
// CHECK: ocl.store %{{.*}}, %local{{.*}}[%[[item]]] : !ocl.ptr<f32, local>
// CHECK: scf.for %{{.*}} = %0 to %{{.*}} step %{{.*}} {
// CHECK-NEXT: ocl.barrier local
// CHECK: arith.cmpi ult
// CHECK-NEXT: scf.if
// CHECK-NOT: ocl.barrier
// ASYNC: ocl.store %{{.*}}, %local{{.*}}[%item0] {ocl.async} : !ocl.ptr<f32, local>
// ASYNC: ocl.commit_copies
// ASYNC: ocl.commit_copies
// ASYNC: scf.for
// ASYNC-NEXT: ocl.wait_copies 1
// ASYNC-NEXT: ocl.barrier local
// ASYNC: ocl.commit_copies
func.func @sums(%x: !pattern.array<4, N, 8, f32>) -> !pattern.array<4, 8, f32> {
  %zero = arith.constant 0.0 : f32
  %g = pattern.map_workgroup %x as %c: !pattern.array<N, 8, f32> {
    %z = pattern.generate as %i: index {
      pattern.yield %zero : f32
    } : !pattern.array<8, f32>
    %r = pattern.reduce_seq %c init %z as %acc: !pattern.array<8, f32>, %row: !pattern.array<8, f32> {
      %l = pattern.map_local %row as %e: f32 {
        pattern.yield %e : f32
      } : !pattern.array<8, f32>
      %t = pattern.to_local %l ahead 2 : !pattern.array<8, f32>
      %p = pattern.zip %acc, %t : !pattern.array<8, tuple<f32, f32>>
      %m = pattern.map_local %p as (%a: f32, %b: f32) {
        %s = arith.addf %a, %b : f32
        pattern.yield %s : f32
      } : !pattern.array<8, f32>
      pattern.yield %m : !pattern.array<8, f32>
    } : !pattern.array<1, 8, f32>
    %own = pattern.to_private %r : !pattern.array<1, 8, f32>
    %i = arith.constant 0 : index
    %last = pattern.at %own[%i] : !pattern.array<8, f32>
    %out = pattern.map_local %last as %e: f32 {
      pattern.yield %e : f32
    } : !pattern.array<8, f32>
    pattern.yield %out : !pattern.array<8, f32>
  } : !pattern.array<4, 8, f32>
  func.return %g : !pattern.array<4, 8, f32>
}
