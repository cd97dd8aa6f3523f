// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

ocl.kernel @k(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %t: !ocl.ptr<f32, local> {ocl.name = "t"}, %n: i32 {ocl.name = "n"}) {
  ocl.return
}

ocl.kernel @nothing() {
  ocl.return
}

// CHECK: func.func @commands
func.func @commands(%h: memref<?xf32>, %wide: memref<64xvector<4xf32>>, %v: f32, %n: index, %m: i32) {
  // CHECK-NEXT: %a = ocl.buffer %n : !ocl.buffer<f32>
  %a = ocl.buffer %n : !ocl.buffer<f32>
  // CHECK-NEXT: %b = ocl.buffer %n : !ocl.buffer<f32>
  %b = ocl.buffer %n : !ocl.buffer<f32>
  // The whole buffer, and a part of it.
  // CHECK-NEXT: ocl.write %h to %a : memref<?xf32>, !ocl.buffer<f32>
  ocl.write %h to %a : memref<?xf32>, !ocl.buffer<f32>
  // CHECK-NEXT: ocl.write %h[%n] to %a[%n] count %n : memref<?xf32>, !ocl.buffer<f32>
  ocl.write %h[%n] to %a[%n] count %n : memref<?xf32>, !ocl.buffer<f32>
  // CHECK-NEXT: ocl.copy %a[%n] to %b count %n : !ocl.buffer<f32>, !ocl.buffer<f32>
  ocl.copy %a[%n] to %b count %n : !ocl.buffer<f32>, !ocl.buffer<f32>
  // CHECK-NEXT: ocl.fill %b with %v : !ocl.buffer<f32>
  ocl.fill %b with %v : !ocl.buffer<f32>
  // CHECK-NEXT: ocl.fill %b[%n] with %v count %n : !ocl.buffer<f32>
  ocl.fill %b[%n] with %v count %n : !ocl.buffer<f32>
  // CHECK-NEXT: %l = ocl.local_memory %n : !ocl.local_memory
  %l = ocl.local_memory %n : !ocl.local_memory
  // CHECK-NEXT: ocl.launch @k global [%n] (%a, %l, %m) : !ocl.buffer<f32>, !ocl.local_memory, i32
  ocl.launch @k global [%n] (%a, %l, %m) : !ocl.buffer<f32>, !ocl.local_memory, i32
  // CHECK-NEXT: ocl.launch @nothing global [%n, %n, %n] local [%n, %n, %n] offset [%n, %n, %n] ()
  ocl.launch @nothing global [%n, %n, %n] local [%n, %n, %n] offset [%n, %n, %n] ()
  // CHECK-NEXT: ocl.finish
  ocl.finish
  // Bytes are copied: the elements may be of another kind on the other side.
  // CHECK-NEXT: ocl.read %a to %wide : !ocl.buffer<f32>, memref<64xvector<4xf32>>
  ocl.read %a to %wide : !ocl.buffer<f32>, memref<64xvector<4xf32>>
  // CHECK-NEXT: ocl.release %a : !ocl.buffer<f32>
  ocl.release %a : !ocl.buffer<f32>
  func.return
}

// CHECK: func.func @events
func.func @events(%h: memref<?xf32>, %a: !ocl.buffer<f32>, %n: index) {
  // CHECK-NEXT: %e0 = ocl.write %h to %a : memref<?xf32>, !ocl.buffer<f32> -> !ocl.event
  %e0 = ocl.write %h to %a : memref<?xf32>, !ocl.buffer<f32> -> !ocl.event
  // CHECK-NEXT: %e1 = ocl.launch @nothing global [%n] () after %e0 -> !ocl.event
  %e1 = ocl.launch @nothing global [%n] () after %e0 -> !ocl.event
  // CHECK-NEXT: ocl.read %a to %h after %e0, %e1 : !ocl.buffer<f32>, memref<?xf32>
  ocl.read %a to %h after %e0, %e1 : !ocl.buffer<f32>, memref<?xf32>
  // CHECK-NEXT: ocl.wait %e0, %e1
  ocl.wait %e0, %e1
  func.return
}

// CHECK: func.func @others
func.func @others(%h: memref<?xi32>, %d: !ocl.buffer<!ocl.struct<"p", {x: f32, n: i32}>>, %n: index) {
  // CHECK-NEXT: ocl.opaque "log"() : () -> ()
  ocl.opaque "log"() : () -> ()
  // CHECK-NEXT: %x = ocl.opaque "measure"(%h, %d) : (memref<?xi32>, !ocl.buffer<!ocl.struct<"p", {x: f32, n: i32}>>) -> f32
  %x = ocl.opaque "measure"(%h, %d) : (memref<?xi32>, !ocl.buffer<!ocl.struct<"p", {x: f32, n: i32}>>) -> f32
  // CHECK-NEXT: %h2 = ocl.transpose %h rows %n columns %n : memref<?xi32>
  %h2 = ocl.transpose %h rows %n columns %n : memref<?xi32>
  // CHECK-NEXT: %d2 = ocl.transpose %d rows %n columns %n : !ocl.buffer<!ocl.struct<"p", {x: f32, n: i32}>>
  %d2 = ocl.transpose %d rows %n columns %n : !ocl.buffer<!ocl.struct<"p", {x: f32, n: i32}>>
  func.return
}
