// RUN: ocl-opt %s -p 'ocl-data-layout{platform=pocl-cpu}' --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=VECTORS
// RUN: ocl-opt %s -p 'ocl-data-layout{platform=pocl7-cpu}' --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=ALONE

// Four numbers for each x, most of them read in a branch that neighbours do not share. PoCL 3.1 makes
// vectors of it, for which the numbers of neighbours shall lie together. PoCL 7.2 makes none: each
// work-item reads its own line, and keeps it.

// VECTORS: remark: a: continuous -> coalesced on pocl-cpu, %M x 4 -> 4 x %M: 4 -> 1 lines a step
// ALONE:   remark: a: continuous layout kept on pocl7-cpu: reuse distance 0 -> 3

ocl.kernel @sum(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) {
  %x = ocl.global_id 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %row = arith.muli %x, %c4 : index
  %first = ocl.load %a[%row] : !ocl.ptr<f32, global>
  %some = arith.cmpf ogt, %first, %zero : f32
  scf.if %some {
    %at1 = arith.addi %row, %c1 : index
    %at2 = arith.addi %row, %c2 : index
    %at3 = arith.addi %row, %c3 : index
    %second = ocl.load %a[%at1] : !ocl.ptr<f32, global>
    %third = ocl.load %a[%at2] : !ocl.ptr<f32, global>
    %fourth = ocl.load %a[%at3] : !ocl.ptr<f32, global>
    %sum2 = arith.addf %first, %second : f32
    %sum3 = arith.addf %sum2, %third : f32
    %sum4 = arith.addf %sum3, %fourth : f32
    %root = math.sqrt %sum4 : f32
    ocl.store %root, %out[%x] : !ocl.ptr<f32, global>
  }
  ocl.return
}

func.func @main(%h: memref<?xf32>, %M: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  %count = arith.muli %M, %c4 : index
  %a = host.buffer %count : !host.buffer<f32>
  %out = host.buffer %M : !host.buffer<f32>
  host.write %h to %a : memref<?xf32>, !host.buffer<f32>
  scf.for %round = %c0 to %c100 step %c1 {
    host.launch @sum global [%M] local [%c64] (%a, %out) : !host.buffer<f32>, !host.buffer<f32>
  }
  host.read %out to %h : !host.buffer<f32>, memref<?xf32>
  func.return
}
