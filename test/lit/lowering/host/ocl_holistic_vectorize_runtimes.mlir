// RUN: ocl-opt %s -p 'ocl-holistic-vectorize{platform=pocl-cpu}' --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=POCL3
// RUN: ocl-opt %s -p 'ocl-holistic-vectorize{platform=pocl7-cpu}' --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=POCL7
// RUN: ocl-opt %s -p 'ocl-holistic-vectorize{platform=intel-rt}' --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=INTEL
// RUN: ocl-opt %s -p 'ocl-holistic-vectorize{platform=nvidia-h200}' --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=H200

// What platforms of this project decide in different ways.

// Rows that lie apart in memory: a vector's elements are loaded one by one. That pays if enough is
// computed with each (`packing`), on Intel's runtime more than on PoCL 7.2.
// POCL3:      not vectorised: 32 accesses of neighbours are scattered, 1 continuous
// POCL7:      16 work-items in a vector of 16 elements
// INTEL:      not vectorised: 32 accesses of neighbours are scattered, 1 continuous
ocl.kernel @apart(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %i = ocl.global_id 0 : index
  %first = arith.muli %i, %c32 : index
  %sum = scf.for %j = %c0 to %c32 step %c1 iter_args(%s = %zero) -> (f32) {
    %at = arith.addi %first, %j : index
    %v = ocl.load %a[%at] : !ocl.ptr<f32, global>
    %d = arith.subf %v, %s : f32
    %e = arith.mulf %d, %d : f32
    %t = arith.addf %s, %e : f32
    scf.yield %t : f32
  }
  ocl.store %sum, %b[%i] : !ocl.ptr<f32, global>
  ocl.return
}

// A group of 16 becomes one work-item, and its barriers are free, although the accesses are apart.
// POCL3:      16 work-items in a vector of 16 elements
// POCL7:      not vectorised: the platform's compiler makes vectors of neighbours that have no loop
// INTEL:      16 work-items in a vector of 16 elements
ocl.kernel @group(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}) {
  %c32 = arith.constant 32 : index
  %i = ocl.global_id 0 : index
  %first = arith.muli %i, %c32 : index
  %v = ocl.load %a[%first] : !ocl.ptr<f32, global>
  ocl.store %v, %b[%first] : !ocl.ptr<f32, global>
  ocl.barrier global
  ocl.store %v, %a[%i] : !ocl.ptr<f32, global>
  ocl.return
}

// PoCL 3.1 unrolls the loop over 16 work-items of a row before it makes vectors, and then makes none.
// A GPU waits for memory here, and two elements for each work-item would be a stride.
// POCL3:      16 work-items in a vector of 16 elements
// POCL7:      not vectorised: the platform's compiler makes vectors of neighbours that have no loop
// INTEL:      not vectorised: the platform's compiler makes vectors of neighbours that access none in loops
// H200:       not vectorised: it waits for what neighbours of the GPU access next to each other
ocl.kernel @short(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}) {
  %i = ocl.global_id 0 : index
  %v = ocl.load %a[%i] : !ocl.ptr<f32, global>
  ocl.store %v, %b[%i] : !ocl.ptr<f32, global>
  ocl.return
}

func.func @host(%x: memref<?xf32>) {
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  %n = arith.constant 65536 : index
  %a = host.buffer %n : !host.buffer<f32>
  %b = host.buffer %n : !host.buffer<f32>
  host.write %x to %a : memref<?xf32>, !host.buffer<f32>
  host.launch @apart global [%c256] local [%c256] (%a, %b) : !host.buffer<f32>, !host.buffer<f32>
  host.launch @group global [%c256] local [%c16] (%a, %b) : !host.buffer<f32>, !host.buffer<f32>
  host.launch @short global [%c256] local [%c16] (%a, %b) : !host.buffer<f32>, !host.buffer<f32>
  host.read %b to %x : !host.buffer<f32>, memref<?xf32>
  func.return
}
