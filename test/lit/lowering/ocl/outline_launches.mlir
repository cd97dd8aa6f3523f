// RUN: ocl-opt %s -p outline-launches --split-input-file | filecheck %s
// The body of a launch becomes a kernel.

// Arguments in the order of the function; constants, views and sizes are repeated in the kernel.
// CHECK:      func.func @scale(%a: f32, %x: memref<?xf32>, %n: index) {
// CHECK-NEXT:   %c1 = arith.constant 1 : index
// CHECK-NEXT:   %c64 = arith.constant 64 : index
// CHECK-NEXT:   "gpu.launch_func"(%n, %c1, %c1, %c64, %c1, %c1, %a, %x) <{kernel = @scale_kernel::@scale_kernel, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 2, 0>}> : (index, index, index, index, index, index, f32, memref<?xf32>) -> ()
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
// CHECK-NEXT: "gpu.module"() <{sym_name = "scale_kernel"}> ({
// CHECK-NEXT:   "gpu.func"() <{function_type = (f32, memref<?xf32>) -> (), kernel}> ({
// CHECK-NEXT:   ^bb0(%a: f32, %x: memref<?xf32>):
// CHECK-NEXT:     %c64 = arith.constant 64 : index
// CHECK-NEXT:     %bx = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
// CHECK-NEXT:     %tx = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
// CHECK-NEXT:     %first = arith.muli %bx, %c64 : index
// CHECK-NEXT:     %i = arith.addi %first, %tx : index
// CHECK-NEXT:     %v = memref.load %x[%i] : memref<?xf32>
// CHECK-NEXT:     %w = arith.mulf %v, %a : f32
// CHECK-NEXT:     memref.store %w, %x[%i] : memref<?xf32>
// CHECK-NEXT:     "gpu.return"() : () -> ()
// CHECK-NEXT:   }) {sym_name = "scale_kernel", gpu.known_block_size = array<i32: 64, 1, 1>} : () -> ()
// CHECK-NEXT: }) : () -> ()
func.func @scale(%a: f32, %x: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %first = arith.muli %bx, %c64 : index
    %i = arith.addi %first, %tx : index
    %v = memref.load %x[%i] : memref<?xf32>
    %w = arith.mulf %v, %a : f32
    memref.store %w, %x[%i] : memref<?xf32>
    gpu.terminator
  }
  func.return
}
