// RUN: ocl-opt %s -p 'ocl-data-layout{platform=intel-rt}' --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=CHOOSES
// RUN: ocl-opt %s -p 'ocl-data-layout{platform=polycl-cpu}' --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=CHOOSES
// RUN: ocl-opt %s -p 'ocl-data-layout{platform=nvidia-h200}' --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=ALONG-X

// A row for each x: neighbours along y access what is consecutive. Intel's compiler and that of the
// device cpu make their vectors along y then, and the layout suits them. A GPU's warp goes along x.

// CHOOSES: remark: a: continuous layout kept on {{.*}}: 1 -> 16 lines a step
// ALONG-X: remark: a: continuous -> coalesced on nvidia-h200, %M x %N -> %N x %M: 16 -> 2 lines a step

ocl.kernel @double(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %N: i32 {ocl.name = "N"}) {
  %x = ocl.global_id 0 : index
  %y = ocl.global_id 1 : index
  %columns = arith.index_cast %N : i32 to index
  %row = arith.muli %x, %columns : index
  %at = arith.addi %row, %y : index
  %value = ocl.load %a[%at] : !ocl.ptr<f32, global>
  %twice = arith.addf %value, %value : f32
  ocl.store %twice, %a[%at] : !ocl.ptr<f32, global>
  ocl.return
}

func.func @main(%h: memref<?xf32>, %M: index, %N: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c100 = arith.constant 100 : index
  %count = arith.muli %M, %N : index
  %N32 = arith.index_cast %N : index to i32
  %a = host.buffer %count : !host.buffer<f32>
  host.write %h to %a : memref<?xf32>, !host.buffer<f32>
  scf.for %round = %c0 to %c100 step %c1 {
    host.launch @double global [%M, %N] local [%c16, %c16] (%a, %N32) : !host.buffer<f32>, i32
  }
  host.read %a to %h : !host.buffer<f32>, memref<?xf32>
  func.return
}
