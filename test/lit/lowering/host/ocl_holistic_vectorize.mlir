// RUN: ocl-opt %s -p 'ocl-holistic-vectorize{platform=amd-cpu}' | filecheck %s
// RUN: ocl-opt %s -p 'ocl-holistic-vectorize{platform=amd-cpu}' --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK
// RUN: ocl-opt %s -p 'ocl-holistic-vectorize{platform=intel-cpu}' --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=INTEL
// RUN: ocl-opt %s -p 'ocl-holistic-vectorize{platform=amd-cpu}' -t opencl-c | filecheck %s --check-prefix=C

// Figure 9 of PPOpenCL: registers have four floats. The kernel has vectors of two already, so two
// work-items fill a register. The number of work-items may be odd: then the last one does its own.

// INTEL: not vectorised: the platform's compiler makes vectors of neighbours

// REMARK: 2 work-items in a vector of 4 elements
// REMARK: 4 work-items in a vector of 4 elements
// REMARK: not vectorised: 2 accesses of neighbours are scattered, 0 continuous
// REMARK: not vectorised: 20 of 31 cycles are in divergent branches
// CHECK: func.func @figure9
// CHECK: %[[HALF:.*]] = arith.ceildivui %n, %{{.*}} : index
// CHECK: host.launch @square global [%[[HALF]]] (%d, %{{.*}}) : !host.buffer<f32>, i64
func.func @figure9(%a: memref<?xf32>, %n: index, %m: i32) {
  %c2 = arith.constant 2 : index
  %size = arith.muli %n, %c2 : index
  %d = host.buffer %size : !host.buffer<f32>
  host.write %a to %d : memref<?xf32>, !host.buffer<f32>
  host.launch @square global [%n] (%d) : !host.buffer<f32>
  %c256 = arith.constant 256 : index
  %c64 = arith.constant 64 : index
  host.launch @product global [%c256] local [%c64] (%d, %m) : !host.buffer<f32>, i32
  host.launch @rows global [%c256] local [%c64] (%d, %m) : !host.buffer<f32>, i32
  host.launch @roots global [%c256] local [%c64] (%d) : !host.buffer<f32>
  host.read %d to %a : !host.buffer<f32>, memref<?xf32>
  func.return
}

// CHECK-LABEL: ocl.kernel @square(
// CHECK:         scf.if
// CHECK:           %v = ocl.vload %{{.*}} -> vector<4xf32>
// CHECK-NEXT:      %w = arith.mulf %v, %v : vector<4xf32>
// CHECK-NEXT:      ocl.vstore %w, %{{.*}} : vector<4xf32>
// CHECK:         } else {
// CHECK:           scf.for
// CHECK:             ocl.vload {{.*}} -> vector<2xf32>
// C:      float4 v = vload4(0, {{.*}});
// C-NEXT: float4 w = v * v;
// C-NEXT: vstore4(w, 0, {{.*}});
ocl.kernel @square(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
  %i = ocl.global_id 0 : index
  %v = ocl.vload %a[%i] : !ocl.ptr<f32, global> -> vector<2xf32>
  %w = arith.mulf %v, %v : vector<2xf32>
  ocl.vstore %w, %a[%i] : vector<2xf32>, !ocl.ptr<f32, global>
  ocl.return
}

// What a loop carries is one vector; what is the same for all is spread; a small branch is a select.
// CHECK-LABEL: ocl.kernel @product(
// CHECK:         %[[SUM:.*]] = scf.for {{.*}} iter_args(%t = %{{.*}}) -> (vector<4xf32>)
// CHECK:           %u = ocl.load %a[%k] : !ocl.ptr<f32, global>
// CHECK-NEXT:      %[[ALL:.*]] = vector.broadcast %u : f32 to vector<4xf32>
// CHECK:           arith.mulf %v, %[[ALL]] : vector<4xf32>
// CHECK:         %[[MASK:.*]] = vec.cmpf olt, {{.*}} : vector<4xf32>
// CHECK:         vec.select %[[MASK]], {{.*}} : vector<4xi1>, vector<4xf32>
// CHECK:         ocl.vstore
ocl.kernel @product(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %m: i32 {ocl.name = "m"}) {
  %i = ocl.global_id 0 : index
  %v = ocl.load %a[%i] : !ocl.ptr<f32, global>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.index_cast %m : i32 to index
  %zero = arith.constant 0.0 : f32
  %s = scf.for %k = %c0 to %end step %c1 iter_args(%t = %zero) -> (f32) {
    %u = ocl.load %a[%k] : !ocl.ptr<f32, global>
    %p = arith.mulf %v, %u : f32
    %q = arith.addf %t, %p : f32
    scf.yield %q : f32
  }
  %c = arith.cmpf olt, %s, %zero : f32
  %r = scf.if %c -> (f32) {
    %n = arith.negf %s : f32
    scf.yield %n : f32
  } else {
    scf.yield %s : f32
  }
  %c512 = arith.constant 512 : index
  %at = arith.addi %i, %c512 : index
  ocl.store %r, %a[%at] : !ocl.ptr<f32, global>
  ocl.return
}

// Neighbours are a row apart: nothing lies one behind the other.
// CHECK-LABEL: ocl.kernel @rows(
// CHECK-NOT:     vector
ocl.kernel @rows(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %m: i32 {ocl.name = "m"}) {
  %i = ocl.global_id 0 : index
  %width = arith.index_cast %m : i32 to index
  %at = arith.muli %i, %width : index
  %v = ocl.load %a[%at] : !ocl.ptr<f32, global>
  %w = arith.mulf %v, %v : f32
  ocl.store %w, %a[%at] : !ocl.ptr<f32, global>
  ocl.return
}

// Loads and stores are continuous, but the work is in a branch: each work-item does its own.
// CHECK-LABEL: ocl.kernel @roots(
// CHECK-NOT:     vector
ocl.kernel @roots(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
  %zero = arith.constant 0.0 : f32
  %i = ocl.global_id 0 : index
  %v = ocl.load %a[%i] : !ocl.ptr<f32, global>
  %c = arith.cmpf ogt, %v, %zero : f32
  %r = scf.if %c -> (f32) {
    %root = math.sqrt %v : f32
    scf.yield %root : f32
  } else {
    scf.yield %v : f32
  }
  ocl.store %r, %a[%i] : !ocl.ptr<f32, global>
  ocl.return
}
