// RUN: ocl-opt %S/../../../../examples/host/md/md.mlir -p ocl-print-def-use 2>&1 >/dev/null | filecheck %s --check-prefix=MD --match-full-lines --strict-whitespace
// RUN: ocl-opt %s -p ocl-print-def-use 2>&1 >/dev/null | filecheck %s --match-full-lines --strict-whitespace

// Section 3.2.2 of the PPOpenCL paper, for the program of its Figure 2. The neighbours go from the
// host's loop (1) through the transfer (2) to the kernel's parameter n (4), the forces from its
// parameter f (4) through the transfer (5) to the caller (6).
//      MD:host @md
// MD-NEXT:  Operation            Uses                    Defines       Reaches
// MD-NEXT:  arguments                                    neighborIter  0, 6
// MD-NEXT:                                               h_p           3, 6
// MD-NEXT:                                               h_f           6
// MD-NEXT:  scf.for
// MD-NEXT:    scf.for
// MD-NEXT:      0: memref.load   neighborIter
// MD-NEXT:      1: memref.store                          h_n           2
// MD-NEXT:  2: host.write        h_n                     d_n           4
// MD-NEXT:  3: host.write        h_p                     d_p           4
// MD-NEXT:  4: host.launch @ker  d_p (p), d_n (n)        d_f (f)       5
// MD-NEXT:  5: host.read         d_f                     h_f           6
// MD-NEXT:  6: func.return       neighborIter, h_p, h_f

ocl.kernel @smooth(
  %from: !ocl.ptr<f32, global> {ocl.name = "from"}, %to: !ocl.ptr<f32, global> {ocl.name = "to"}
) {
  %one = arith.constant 1 : index
  %i = ocl.global_id 0 : index
  %right = arith.addi %i, %one : index
  %x = ocl.load %from[%i] : !ocl.ptr<f32, global>
  %y = ocl.load %from[%right] : !ocl.ptr<f32, global>
  %sum = arith.addf %x, %y : f32
  ocl.store %sum, %to[%i] : !ocl.ptr<f32, global>
  ocl.return
}

// The first fill is overwritten as a whole (2), so it reaches nothing. The launch (3) uses what was
// written before the loop, and what the following copy (4) wrote in an earlier iteration: 3 < 4.
// How much of t a launch stores is not known, but the copy takes all of it, so the second fill
// reaches the copy, too.
//      CHECK:host @copied
// CHECK-NEXT:  Operation                 Uses      Defines  Reaches
// CHECK-NEXT:  arguments                           h        2, 6
// CHECK-NEXT:  0: host.fill                        d        nothing
// CHECK-NEXT:  1: host.fill                        t        4
// CHECK-NEXT:  2: host.write             h         d        3, 5
// CHECK-NEXT:  scf.for
// CHECK-NEXT:    3: host.launch @smooth  d (from)  t (to)   4
// CHECK-NEXT:    4: host.copy            t         d        3, 5
// CHECK-NEXT:  5: host.read              d         h        6
// CHECK-NEXT:  6: func.return            h
func.func @copied(%h: memref<?xf32>, %n: index, %steps: index, %none: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.addi %n, %c1 : index
  %d = host.buffer %count : !host.buffer<f32>
  %t = host.buffer %count : !host.buffer<f32>
  host.fill %d with %none : !host.buffer<f32>
  host.fill %t with %none : !host.buffer<f32>
  host.write %h to %d : memref<?xf32>, !host.buffer<f32>
  scf.for %step = %c0 to %steps step %c1 {
    host.launch @smooth global [%n] (%d, %t) : !host.buffer<f32>, !host.buffer<f32>
    host.copy %t to %d : !host.buffer<f32>, !host.buffer<f32>
  }
  host.read %d to %h : !host.buffer<f32>, memref<?xf32>
  func.return
}

// The buffers that the loop exchanges are one line each time: what either was given may be in
// the one that is read. The test of the loop (2) comes once more than its body (4).
//      CHECK:host @exchanged
// CHECK-NEXT:  Operation                 Uses           Defines      Reaches
// CHECK-NEXT:  arguments                                h            0, 6
// CHECK-NEXT:  0: host.write             h              d or t       2, 4, 5
// CHECK-NEXT:  1: host.fill                             d or t       2, 4, 5
// CHECK-NEXT:  scf.while
// CHECK-NEXT:    2: host.read            d or t         first        3
// CHECK-NEXT:    3: memref.load          first
// CHECK-NEXT:  do
// CHECK-NEXT:    4: host.launch @smooth  d or t (from)  d or t (to)  2, 4, 5
// CHECK-NEXT:  5: host.read              d or t         h            6
// CHECK-NEXT:  6: func.return            h
func.func @exchanged(%h: memref<?xf32>, %n: index, %none: f32, %limit: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.addi %n, %c1 : index
  %d = host.buffer %count : !host.buffer<f32>
  %t = host.buffer %count : !host.buffer<f32>
  %first = memref.alloc(%c1) : memref<?xf32>
  host.write %h to %d : memref<?xf32>, !host.buffer<f32>
  host.fill %t with %none : !host.buffer<f32>
  %result, %other = scf.while (%from = %d, %to = %t) : (!host.buffer<f32>, !host.buffer<f32>) -> (!host.buffer<f32>, !host.buffer<f32>) {
    host.read %from to %first count %c1 : !host.buffer<f32>, memref<?xf32>
    %x = memref.load %first[%c0] : memref<?xf32>
    %goes_on = arith.cmpf olt, %x, %limit : f32
    scf.condition(%goes_on) %from, %to : !host.buffer<f32>, !host.buffer<f32>
  } do {
  ^bb0(%source: !host.buffer<f32>, %target: !host.buffer<f32>):
    host.launch @smooth global [%n] (%source, %target) : !host.buffer<f32>, !host.buffer<f32>
    scf.yield %target, %source : !host.buffer<f32>, !host.buffer<f32>
  }
  host.read %result to %h : !host.buffer<f32>, memref<?xf32>
  memref.dealloc %first : memref<?xf32>
  func.return
}

// Both branches define the buffer. What is not understood may use it, and define it.
//      CHECK:host @measured
// CHECK-NEXT:  Operation        Uses  Defines  Reaches
// CHECK-NEXT:  arguments              h        1, 3
// CHECK-NEXT:  scf.if
// CHECK-NEXT:    0: host.fill         d        2
// CHECK-NEXT:  else
// CHECK-NEXT:    1: host.write  h     d        2
// CHECK-NEXT:  2: host.opaque   d     d        nothing
// CHECK-NEXT:  3: func.return   h
func.func @measured(%h: memref<?xf32>, %n: index, %first: i1, %none: f32) {
  %d = host.buffer %n : !host.buffer<f32>
  scf.if %first {
    host.fill %d with %none : !host.buffer<f32>
  } else {
    host.write %h to %d : memref<?xf32>, !host.buffer<f32>
  }
  host.opaque "measure"(%d) : (!host.buffer<f32>) -> ()
  func.return
}
