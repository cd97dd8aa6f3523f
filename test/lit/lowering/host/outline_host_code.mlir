// RUN: ocl-opt %s -p outline-host-code | filecheck %s
// Loops without commands become functions; the loop that launches stays, and what is in it.

ocl.kernel @k(%d: !ocl.ptr<i32, global> {ocl.name = "d"}) {
  ocl.return
}

// CHECK:      func.func @steps(%x: memref<?xi32>, %n: index, %s: index) {
// CHECK:        func.call @steps_0(%n, %x) : (index, memref<?xi32>) -> ()
// CHECK-NEXT:   %d = host.buffer %n : !host.buffer<i32>
// CHECK-NEXT:   scf.for %i = %c0 to %s step %c1 {
// CHECK-NEXT:     host.write %x to %d
// CHECK-NEXT:     host.launch @k
// CHECK-NEXT:     host.read %d to %x
// What a loop computes comes back in memory.
// CHECK-NEXT:     [[CELL:%[0-9a-z]+]] = memref.alloca() : memref<1xi32>
// CHECK-NEXT:     func.call @steps_1(%n, %x, [[CELL]]) : (index, memref<?xi32>, memref<1xi32>) -> ()
// CHECK-NEXT:     [[ZERO:%[0-9a-z]+]] = arith.constant 0 : index
// CHECK-NEXT:     %sum = memref.load [[CELL]][[[ZERO]]] : memref<1xi32>
// CHECK-NEXT:     memref.store %sum, %x[%i] : memref<?xi32>
// CHECK-NEXT:   }
func.func @steps(%x: memref<?xi32>, %n: index, %s: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %zero, %x[%i] : memref<?xi32>
  }
  %d = host.buffer %n : !host.buffer<i32>
  scf.for %i = %c0 to %s step %c1 {
    host.write %x to %d : memref<?xi32>, !host.buffer<i32>
    host.launch @k global [%n] (%d) : !host.buffer<i32>
    host.read %d to %x : !host.buffer<i32>, memref<?xi32>
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%t = %zero) -> (i32) {
      %v = memref.load %x[%j] : memref<?xi32>
      %u = arith.addi %t, %v : i32
      scf.yield %u : i32
    }
    memref.store %sum, %x[%i] : memref<?xi32>
  }
  func.return
}

// CHECK:      func.func private @steps_1(%n: index, %x: memref<?xi32>, %sum: memref<1xi32>) attributes {gpu.kernel} {
// CHECK:        memref.store {{%.*}}, %sum
// CHECK:      func.func private @steps_0(%n: index, %x: memref<?xi32>) attributes {gpu.kernel} {
// CHECK-NEXT:   %c0 = arith.constant 0 : index
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %zero = arith.constant 0 : i32
// CHECK-NEXT:   scf.for %i = %c0 to %n step %c1 {
// CHECK-NEXT:     memref.store %zero, %x[%i] : memref<?xi32>
