// Molecular dynamics, the program of Figure 2 of the PPOpenCL paper: each atom sums what its
// neighbours do to it. The neighbours of one atom stand nA elements apart, which suits a GPU:
// neighbour j of all atoms is one row of memory.

// One atom: f[tid] = sum over j of (p[n[tid + j*A]] - p[tid]) / (distance^2 + 1).
ocl.kernel @ker(
  %f: !ocl.ptr<f32, global> {ocl.name = "f", ocl.type = "float*"},
  %p: !ocl.ptr<f32, global> {ocl.name = "p", ocl.type = "float*", ocl.const},
  %n: !ocl.ptr<i32, global> {ocl.name = "n", ocl.type = "int*", ocl.const},
  %N: i32 {ocl.name = "N", ocl.type = "int"},
  %A: i32 {ocl.name = "A", ocl.type = "int"}
) {
  %zero = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %none = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %tid = ocl.global_id 0 : index
  %atom = arith.index_cast %tid : index to i32
  %own = ocl.load %p[%tid] : !ocl.ptr<f32, global>
  %force = scf.for %j = %zero to %N step %step iter_args(%sum = %none) -> (f32) : i32 {
    %row = arith.muli %j, %A : i32
    %at = arith.addi %atom, %row : i32
    %place = arith.index_cast %at : i32 to index
    %neighbour = ocl.load %n[%place] : !ocl.ptr<i32, global>
    %idx = arith.index_cast %neighbour : i32 to index
    %pos = ocl.load %p[%idx] : !ocl.ptr<f32, global>
    %d = arith.subf %pos, %own : f32
    %dd = arith.mulf %d, %d : f32
    %r2 = arith.addf %dd, %one : f32
    %pull = arith.divf %d, %r2 : f32
    %next = arith.addf %sum, %pull : f32
    scf.yield %next : f32
  }
  ocl.store %force, %f[%tid] : !ocl.ptr<f32, global>
  ocl.return
}

// `neighborIter` has the nN neighbours of one atom after the other; `h_p` has the positions,
// `h_f` gets the forces. nA is a multiple of 128.
func.func @md(
  %neighborIter: memref<?xi32>, %h_p: memref<?xf32>, %h_f: memref<?xf32>, %nA: index, %nN: index
) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %count = arith.muli %nA, %nN : index
  %h_n = memref.alloc(%count) : memref<?xi32>
  scf.for %i = %c0 to %nA step %c1 {
    scf.for %j = %c0 to %nN step %c1 {
      %first = arith.muli %i, %nN : index
      %from = arith.addi %first, %j : index
      %neighbour = memref.load %neighborIter[%from] : memref<?xi32>
      %row = arith.muli %j, %nA : index
      %to = arith.addi %i, %row : index
      memref.store %neighbour, %h_n[%to] : memref<?xi32>
    }
  }

  %d_n = host.buffer %count : !host.buffer<i32>
  %d_f = host.buffer %nA : !host.buffer<f32>
  %d_p = host.buffer %nA : !host.buffer<f32>
  host.write %h_n to %d_n : memref<?xi32>, !host.buffer<i32>
  host.write %h_p to %d_p : memref<?xf32>, !host.buffer<f32>

  %N = arith.index_cast %nN : index to i32
  %A = arith.index_cast %nA : index to i32
  host.launch @ker global [%nA] local [%c128] (%d_f, %d_p, %d_n, %N, %A) : !host.buffer<f32>, !host.buffer<f32>, !host.buffer<i32>, i32, i32
  host.finish
  host.read %d_f to %h_f : !host.buffer<f32>, memref<?xf32>

  host.release %d_n : !host.buffer<i32>
  host.release %d_f : !host.buffer<f32>
  host.release %d_p : !host.buffer<f32>
  memref.dealloc %h_n : memref<?xi32>
  func.return
}
