// RUN: ocl-opt %s -p 'ocl-reorganize-threads{platform=intel-rt}' --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=VECTORS
// RUN: ocl-opt %s -p 'ocl-reorganize-threads{platform=pocl-cpu}' --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=NONE
// RUN: ocl-opt %s -p 'ocl-reorganize-threads{platform=polycl-cpu}' --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=VECTORS
// RUN: ocl-opt %s -p 'ocl-reorganize-threads{platform=polycl-cpu dimension=y factor=4}' --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=ASKED

// Intel's compiler and that of the device cpu make vectors of work-items whose accesses are
// consecutive. A dimension along which more of them are than along x is left to it, unless it is
// asked for; PoCL is given vectors, and needs no such care.

func.func @main(%h: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %n64 = arith.index_cast %n : index to i64
  %nn = arith.muli %n, %n : index
  %a = host.buffer %nn : !host.buffer<f32>
  %b = host.buffer %n : !host.buffer<f32>
  host.write %h to %a : memref<?xf32>, !host.buffer<f32>
  host.write %h to %b : memref<?xf32>, !host.buffer<f32>
  host.launch @eliminate global [%n, %n] local [%c16, %c16] (%a, %b, %n64) : !host.buffer<f32>, !host.buffer<f32>, i64
  host.launch @scale global [%n, %n] local [%c16, %c16] (%a, %b, %n64) : !host.buffer<f32>, !host.buffer<f32>, i64
  host.read %a to %h : !host.buffer<f32>, memref<?xf32>
  func.return
}

// The step of a Gaussian elimination: a row for each x. Three accesses are consecutive along y, one
// along x.
// VECTORS:      remark: x: {{.*}}; y: 27 of 45 cycles are the same, factor 1 [ocl-reorganize-threads]
// NONE:         remark: x: {{.*}}; y: 27 of 45 cycles are the same, factor 16 [ocl-reorganize-threads]
// NONE-NEXT:    remark: 16 work-items along y are merged [ocl-reorganize-threads]
// ASKED:        remark: 4 work-items along y are merged [ocl-reorganize-threads]
ocl.kernel @eliminate(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}, %n: i64 {ocl.name = "n"}) {
  %x = ocl.global_id 0 : index
  %y = ocl.global_id 1 : index
  %factor = ocl.load %b[%x] : !ocl.ptr<f32, global>
  %root = math.sqrt %factor : f32
  %pivot = ocl.load %a[%y] : !ocl.ptr<f32, global>
  %part = arith.mulf %root, %pivot : f32
  %columns = arith.index_cast %n : i64 to index
  %row = arith.muli %x, %columns : index
  %at = arith.addi %row, %y : index
  %old = ocl.load %a[%at] : !ocl.ptr<f32, global>
  %new = arith.subf %old, %part : f32
  ocl.store %new, %a[%at] : !ocl.ptr<f32, global>
  ocl.return
}

// As many along x as along y: vectors are made along x, and y may be merged.
// VECTORS-NEXT: remark: x: {{.*}}; y: 27 of 29 cycles are the same, factor 16 [ocl-reorganize-threads]
// VECTORS-NEXT: remark: 16 work-items along y are merged
ocl.kernel @scale(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}, %n: i64 {ocl.name = "n"}) {
  %x = ocl.global_id 0 : index
  %y = ocl.global_id 1 : index
  %factor = ocl.load %b[%x] : !ocl.ptr<f32, global>
  %root = math.sqrt %factor : f32
  %columns = arith.index_cast %n : i64 to index
  %row = arith.muli %x, %columns : index
  %at = arith.addi %row, %y : index
  ocl.store %root, %a[%at] : !ocl.ptr<f32, global>
  ocl.return
}
