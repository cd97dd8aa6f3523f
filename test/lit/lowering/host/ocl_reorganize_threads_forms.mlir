// RUN: ocl-opt %s -p 'ocl-reorganize-threads{dimension=x factor=4}' --remarks | filecheck %s

// What is around the bodies: guards, loops, barriers, sizes that are not known.

func.func @host(%x: memref<?xf32>, %n: index, %m: i32) {
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %d = host.buffer %n : !host.buffer<f32>
  // A size that four may not divide: the kernel gets it, and has a guard.
  // CHECK:      %[[N:.*]] = arith.index_cast %n : index to i64
  // CHECK:      %[[LESS:.*]] = arith.ceildivui %n, %{{.*}} : index
  // CHECK-NEXT: host.launch @any_size global [%[[LESS]]] (%d, %[[N]])
  host.launch @any_size global [%n] (%d) : !host.buffer<f32>
  // CHECK-NOT:  host.launch @guarded global [%c256]
  // CHECK:      host.launch @guarded global [%c64] local [%{{.*}}] (%d, %m)
  host.launch @guarded global [%c256] local [%c64] (%d, %m) : !host.buffer<f32>, i32
  // CHECK:      host.launch @with_barrier global [%c64] local [%{{.*}}] (%d)
  host.launch @with_barrier global [%c256] local [%c64] (%d) : !host.buffer<f32>
  // CHECK:      host.launch @divergent global [%c256] local [%c64] (%d)
  host.launch @divergent global [%c256] local [%c64] (%d) : !host.buffer<f32>
  func.return
}

// All four where they are there, else one by one.
// CHECK-LABEL: ocl.kernel @any_size(
// CHECK-SAME:    %global_size_x: i64
// CHECK:         %[[ALL:.*]] = arith.cmpi sle
// CHECK:         scf.if %[[ALL]] {
// CHECK-COUNT-4:   ocl.store
// CHECK:         } else {
// CHECK:           scf.for
// CHECK:             ocl.store
// CHECK-NOT:         ocl.store
// CHECK:         ocl.return
ocl.kernel @any_size(%x: !ocl.ptr<f32, global> {ocl.name = "x"}) {
  %i = ocl.global_id 0 : index
  %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
  %w = arith.mulf %v, %v : f32
  ocl.store %w, %x[%i] : !ocl.ptr<f32, global>
  ocl.return
}

// The last of the four decides a guard, and the loop is one for all: its element is loaded once.
// CHECK-LABEL: ocl.kernel @guarded(
// CHECK:         %[[GO:.*]] = arith.cmpi slt, %i_3, %m : i32
// CHECK-NEXT:    scf.if %[[GO]] {
// CHECK:           scf.for
// CHECK-NEXT:        %v = ocl.load
// CHECK-COUNT-4:     arith.addf
// CHECK-NOT:         ocl.load
// CHECK:           } 
// CHECK-COUNT-4:   ocl.store
// CHECK:         } else {
// CHECK:           scf.for
// CHECK:             scf.if
ocl.kernel @guarded(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %m: i32 {ocl.name = "m"}) {
  %id = ocl.global_id 0 : index
  %i = arith.index_cast %id : index to i32
  %c = arith.cmpi slt, %i, %m : i32
  scf.if %c {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %f = arith.sitofp %i : i32 to f32
    %s = scf.for %k = %c0 to %c8 step %c1 iter_args(%t = %f) -> (f32) {
      %v = ocl.load %x[%k] : !ocl.ptr<f32, global>
      %u = arith.addf %t, %v : f32
      scf.yield %u : f32
    }
    %c1000 = arith.constant 1000 : index
    %at = arith.addi %id, %c1000 : index
    ocl.store %s, %x[%at] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// All reach the barrier together; the group has the same local memory.
// CHECK-LABEL: ocl.kernel @with_barrier(
// CHECK:         ocl.local_alloc
// CHECK-NOT:     ocl.local_alloc
// CHECK-COUNT-4: ocl.store
// CHECK:         ocl.barrier local
// CHECK-NOT:     ocl.barrier
// CHECK-COUNT-4: ocl.load
// CHECK:         ocl.return
ocl.kernel @with_barrier(%x: !ocl.ptr<f32, global> {ocl.name = "x"}) {
  %tile = ocl.local_alloc : !ocl.ptr<!ocl.array<64 x f32>, local>
  %t = ocl.cast %tile : !ocl.ptr<!ocl.array<64 x f32>, local> to !ocl.ptr<f32, local>
  %i = ocl.global_id 0 : index
  %l = ocl.local_id 0 : index
  %f = arith.index_cast %i : index to i32
  %g = arith.sitofp %f : i32 to f32
  ocl.store %g, %t[%l] : !ocl.ptr<f32, local>
  ocl.barrier local
  %c63 = arith.constant 63 : index
  %other = arith.subi %c63, %l : index
  %v = ocl.load %t[%other] : !ocl.ptr<f32, local>
  ocl.store %v, %x[%i] : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @divergent(
// CHECK-NOT:     arith.muli
ocl.kernel @divergent(%x: !ocl.ptr<f32, global> {ocl.name = "x"}) {
  %i = ocl.global_id 0 : index
  %l = ocl.local_id 0 : index
  %c32 = arith.constant 32 : index
  %c = arith.cmpi slt, %l, %c32 : index
  scf.if %c {
    ocl.barrier local
  }
  ocl.return
}
