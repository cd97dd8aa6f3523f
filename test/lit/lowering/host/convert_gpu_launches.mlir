// RUN: ocl-opt %s -p convert-gpu-to-ocl,convert-gpu-launches --split-input-file | filecheck %s
// The function that launches: arrays are copied to buffers, and back where a kernel writes.

// CHECK:      ocl.kernel @double(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %y: !ocl.ptr<f32, global> {ocl.name = "y"}, %x_size0: i64 {ocl.name = "x_size0", ocl.implied = "x.size0"}, %y_size0: i64 {ocl.name = "y_size0", ocl.implied = "y.size0"}) {
// CHECK-NEXT:   %i = ocl.global_id 0 : index
// CHECK-NEXT:   %v = ocl.load %x[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:   %w = arith.addf %v, %v : f32
// CHECK-NEXT:   ocl.store %w, %y[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-NEXT: func.func @twice(%x: memref<?xf32>, %y: memref<?xf32>, %x_size0: index {ocl.implied = "x.size0"}, %y_size0: index {ocl.implied = "y.size0"}) {
// CHECK-NEXT:   %x_buffer = host.buffer %x_size0 : !host.buffer<f32>
// CHECK-NEXT:   host.write %x to %x_buffer : memref<?xf32>, !host.buffer<f32>
// CHECK-NEXT:   %y_buffer = host.buffer %y_size0 : !host.buffer<f32>
// CHECK-NEXT:   host.write %y to %y_buffer : memref<?xf32>, !host.buffer<f32>
// CHECK-NEXT:   %t_buffer = host.buffer %x_size0 : !host.buffer<f32>
// CHECK-NEXT:   %0 = arith.index_cast %x_size0 : index to i64
// CHECK-NEXT:   %1 = arith.index_cast %x_size0 : index to i64
// CHECK-NEXT:   %2 = arith.constant 0 : index
// CHECK-NEXT:   %3 = arith.cmpi sgt, %x_size0, %2 : index
// CHECK-NEXT:   scf.if %3 {
// CHECK-NEXT:     host.launch @double global [%x_size0] (%x_buffer, %t_buffer, %0, %1) : !host.buffer<f32>, !host.buffer<f32>, i64, i64
// CHECK-NEXT:   }
// CHECK-NEXT:   %4 = arith.index_cast %x_size0 : index to i64
// CHECK-NEXT:   %5 = arith.index_cast %y_size0 : index to i64
// CHECK-NEXT:   %6 = arith.constant 0 : index
// CHECK-NEXT:   %7 = arith.cmpi sgt, %x_size0, %6 : index
// CHECK-NEXT:   scf.if %7 {
// CHECK-NEXT:     host.launch @double global [%x_size0] (%t_buffer, %y_buffer, %4, %5) : !host.buffer<f32>, !host.buffer<f32>, i64, i64
// CHECK-NEXT:   }
// CHECK-NEXT:   host.release %t_buffer : !host.buffer<f32>
// CHECK-NEXT:   host.read %y_buffer to %y : !host.buffer<f32>, memref<?xf32>
// CHECK-NEXT:   host.release %x_buffer : !host.buffer<f32>
// CHECK-NEXT:   host.release %y_buffer : !host.buffer<f32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
gpu.module @kernels {
  gpu.func @double(%x: memref<?xf32>, %y: memref<?xf32>) kernel {
    %i = gpu.global_id x
    %v = memref.load %x[%i] : memref<?xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %y[%i] : memref<?xf32>
    gpu.return
  }
}
func.func @twice(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %t = memref.alloc(%n) : memref<?xf32>
  gpu.launch_func @kernels::@double blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%x : memref<?xf32>, %t : memref<?xf32>)
  gpu.launch_func @kernels::@double blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%t : memref<?xf32>, %y : memref<?xf32>)
  memref.dealloc %t : memref<?xf32>
  func.return
}
