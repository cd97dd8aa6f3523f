// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

// CHECK: func.func @memory
func.func @memory(%p: !ocl.ptr<i8, private>, %d: !host.buffer<f32>) {
  // A variable of a C file, a static one, and the variable with the program's context.
  // CHECK-NEXT: %count = host.extern "count" : !ocl.ptr<i32, private>
  %count = host.extern "count" : !ocl.ptr<i32, private>
  // CHECK-NEXT: %table = host.extern "table" in "main.c" : !ocl.ptr<f32, private>
  %table = host.extern "table" in "main.c" : !ocl.ptr<f32, private>
  // CHECK-NEXT: %context = host.extern "cl_context" : !ocl.ptr<i64, private>
  %context = host.extern "cl_context" : !ocl.ptr<i64, private>
  // CHECK-NEXT: %object = host.object "cl_context" : !ocl.ptr<i8, private>
  %object = host.object "cl_context" : !ocl.ptr<i8, private>
  // CHECK-NEXT: %format = host.text "%d\0A" : !ocl.ptr<i8, private>
  %format = host.text "%d\0A" : !ocl.ptr<i8, private>
  // CHECK-NEXT: %view = host.view %p : !ocl.ptr<i8, private> -> memref<?xf32>
  %view = host.view %p : !ocl.ptr<i8, private> -> memref<?xf32>
  host.read %d to %view : !host.buffer<f32>, memref<?xf32>
  func.return
}
