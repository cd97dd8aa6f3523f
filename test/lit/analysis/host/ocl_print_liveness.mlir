// RUN: ocl-opt %s -p ocl-print-liveness 2>&1 >/dev/null | filecheck %s --match-full-lines --strict-whitespace

// Section 3.2.2 of the PPOpenCL paper: liveness on the graph of host and kernels.
ocl.kernel @double(
  %from: !ocl.ptr<f32, global> {ocl.name = "from"}, %to: !ocl.ptr<f32, global> {ocl.name = "to"}
) {
  %i = ocl.global_id 0 : index
  %x = ocl.load %from[%i] : !ocl.ptr<f32, global>
  %sum = arith.addf %x, %x : f32
  ocl.store %sum, %to[%i] : !ocl.ptr<f32, global>
  ocl.return
}

// The write overwrites what the fill defines. The kernel only reads d, so d still is h when h is
// written again. What of e the launches leave is not known: the first result stays live.
//      CHECK:host @twice
// CHECK-NEXT:  Operation            Live after  Equal before
// CHECK-NEXT:  host.fill d          e, h                      dead
// CHECK-NEXT:  host.write h to d    d, e, h
// CHECK-NEXT:  host.launch @double  e, h        d = h
// CHECK-NEXT:  host.write h to d    d, e, h     d = h         redundant
// CHECK-NEXT:  host.launch @double  e, h        d = h
// CHECK-NEXT:  host.read e to h     h           d = h
// CHECK-NEXT:  func.return                      e = h
func.func @twice(%h: memref<?xf32>, %n: index, %none: f32) {
  %d = host.buffer %n : !host.buffer<f32>
  %e = host.buffer %n : !host.buffer<f32>
  host.fill %d with %none : !host.buffer<f32>
  host.write %h to %d : memref<?xf32>, !host.buffer<f32>
  host.launch @double global [%n] (%d, %e) : !host.buffer<f32>, !host.buffer<f32>
  host.write %h to %d : memref<?xf32>, !host.buffer<f32>
  host.launch @double global [%n] (%d, %e) : !host.buffer<f32>, !host.buffer<f32>
  host.read %e to %h : !host.buffer<f32>, memref<?xf32>
  func.return
}

// What is equal before a loop must be so after each round, too. d is: the launch changes it, but then
// it is read to h. The writes before the loop are dead as long as the loop repeats them.
//      CHECK:host @again
// CHECK-NEXT:  Operation              Live after  Equal before
// CHECK-NEXT:  host.write w to e      h, w                      dead
// CHECK-NEXT:  host.write h to d      h, w        e = w         dead
// CHECK-NEXT:  scf.for
// CHECK-NEXT:    host.write h to d    d, h, w     d = h, e = w  redundant
// CHECK-NEXT:    host.write w to e    d, e, h, w  d = h, e = w  redundant
// CHECK-NEXT:    host.launch @double  d, h, w     d = h, e = w
// CHECK-NEXT:    host.read d to h     h, w        e = w
// CHECK-NEXT:  func.return                        d = h, e = w
func.func @again(%h: memref<?xf32>, %w: memref<?xf32>, %n: index, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = host.buffer %n : !host.buffer<f32>
  %e = host.buffer %n : !host.buffer<f32>
  host.write %w to %e : memref<?xf32>, !host.buffer<f32>
  host.write %h to %d : memref<?xf32>, !host.buffer<f32>
  scf.for %step = %c0 to %steps step %c1 {
    host.write %h to %d : memref<?xf32>, !host.buffer<f32>
    host.write %w to %e : memref<?xf32>, !host.buffer<f32>
    host.launch @double global [%n] (%e, %d) : !host.buffer<f32>, !host.buffer<f32>
    host.read %d to %h : !host.buffer<f32>, memref<?xf32>
  }
  func.return
}
