// RUN: ocl-opt %s -p ocl-print-wii 2>&1 >/dev/null | filecheck %s --check-prefix=SERIAL --match-full-lines --strict-whitespace
// RUN: ocl-opt %s -p 'ocl-print-wii{platform=intel-cpu lanes=2}' 2>&1 >/dev/null | filecheck %s --check-prefix=PARALLEL --match-full-lines --strict-whitespace

// Figures 4 and 5 of the PPOpenCL paper: the kernel stands where the host launches it, once for
// each of the four work-items one after the other, or once for each two of them, with vector
// operations. What is in a branch is guarded. Work-item 2 does operation 1 at step 3 * 2 + 1 = 7
// where they are serial, and at 3 * (2 / 2) + 1 = 4 where two are executed together.

//      SERIAL:host @main
// SERIAL-NEXT:  %d = host.buffer %n
// SERIAL-NEXT:  host.write %h, %d
// SERIAL-NEXT:  kernel @grow, amd-cpu, serial: 4 work-items in a group, WII(tid, op) = 3 * tid + op
// SERIAL-NEXT:    for tid: 4 times
// SERIAL-NEXT:      if -gid0 + n - 1 >= 0
// SERIAL-NEXT:        0: %old = load a[gid0]
// SERIAL-NEXT:        1: %new = arith.addi
// SERIAL-NEXT:        2: store a[gid0]
// SERIAL-NEXT:    steps:
// SERIAL-NEXT:      0: 0.0
// SERIAL-NEXT:      1: 0.1
// SERIAL-NEXT:      2: 0.2
// SERIAL-NEXT:      3: 1.0
// SERIAL-NEXT:      4: 1.1
// SERIAL-NEXT:      5: 1.2
// SERIAL-NEXT:      6: 2.0
// SERIAL-NEXT:      7: 2.1
// SERIAL-NEXT:      8: 2.2
// SERIAL-NEXT:      9: 3.0
// SERIAL-NEXT:      10: 3.1
// SERIAL-NEXT:      11: 3.2
// SERIAL-NEXT:  host.read %d, %h

//      PARALLEL:host @main
// PARALLEL-NEXT:  %d = host.buffer %n
// PARALLEL-NEXT:  host.write %h, %d
// PARALLEL-NEXT:  kernel @grow, intel-cpu, data-parallel: 4 work-items in a group, WII(tid, op) = 3 * (tid / 2) + op
// PARALLEL-NEXT:    for tid: 2 times, 2 together
// PARALLEL-NEXT:      if -gid0 + n - 1 >= 0
// PARALLEL-NEXT:        0: vector %old = load a[gid0]
// PARALLEL-NEXT:        1: vector %new = arith.addi
// PARALLEL-NEXT:        2: vector store a[gid0]
// PARALLEL-NEXT:    steps:
// PARALLEL-NEXT:      0: 0.0 1.0
// PARALLEL-NEXT:      1: 0.1 1.1
// PARALLEL-NEXT:      2: 0.2 1.2
// PARALLEL-NEXT:      3: 2.0 3.0
// PARALLEL-NEXT:      4: 2.1 3.1
// PARALLEL-NEXT:      5: 2.2 3.2
// PARALLEL-NEXT:  host.read %d, %h

ocl.kernel @grow(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %n: i32 {ocl.name = "n"}) {
  %one = arith.constant 1 : i32
  %i = ocl.global_id 0 : index
  %i32 = arith.index_cast %i : index to i32
  %inside = arith.cmpi slt, %i32, %n : i32
  scf.if %inside {
    %old = ocl.load %a[%i] : !ocl.ptr<i32, global>
    %new = arith.addi %old, %one : i32
    ocl.store %new, %a[%i] : !ocl.ptr<i32, global>
  }
  ocl.return
}

func.func @main(%h: memref<?xi32>, %n: index) {
  %c4 = arith.constant 4 : index
  %n32 = arith.index_cast %n : index to i32
  %d = host.buffer %n : !host.buffer<i32>
  host.write %h to %d : memref<?xi32>, !host.buffer<i32>
  host.launch @grow global [%n] local [%c4] (%d, %n32) : !host.buffer<i32>, i32
  host.read %d to %h : !host.buffer<i32>, memref<?xi32>
  func.return
}
