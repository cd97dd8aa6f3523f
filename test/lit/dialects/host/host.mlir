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
  // CHECK-NEXT: %a = host.buffer %n : !host.buffer<f32>
  %a = host.buffer %n : !host.buffer<f32>
  // CHECK-NEXT: %b = host.buffer %n : !host.buffer<f32>
  %b = host.buffer %n : !host.buffer<f32>
  // The whole buffer, and a part of it.
  // CHECK-NEXT: host.write %h to %a : memref<?xf32>, !host.buffer<f32>
  host.write %h to %a : memref<?xf32>, !host.buffer<f32>
  // CHECK-NEXT: host.write %h[%n] to %a[%n] count %n : memref<?xf32>, !host.buffer<f32>
  host.write %h[%n] to %a[%n] count %n : memref<?xf32>, !host.buffer<f32>
  // CHECK-NEXT: host.copy %a[%n] to %b count %n : !host.buffer<f32>, !host.buffer<f32>
  host.copy %a[%n] to %b count %n : !host.buffer<f32>, !host.buffer<f32>
  // CHECK-NEXT: host.fill %b with %v : !host.buffer<f32>
  host.fill %b with %v : !host.buffer<f32>
  // CHECK-NEXT: host.fill %b[%n] with %v count %n : !host.buffer<f32>
  host.fill %b[%n] with %v count %n : !host.buffer<f32>
  // CHECK-NEXT: %l = host.local_memory %n : !host.local_memory
  %l = host.local_memory %n : !host.local_memory
  // CHECK-NEXT: host.launch @k global [%n] (%a, %l, %m) : !host.buffer<f32>, !host.local_memory, i32
  host.launch @k global [%n] (%a, %l, %m) : !host.buffer<f32>, !host.local_memory, i32
  // CHECK-NEXT: host.launch @nothing global [%n, %n, %n] local [%n, %n, %n] offset [%n, %n, %n] ()
  host.launch @nothing global [%n, %n, %n] local [%n, %n, %n] offset [%n, %n, %n] ()
  // CHECK-NEXT: host.finish
  host.finish
  // Bytes are copied: the elements may be of another kind on the other side.
  // CHECK-NEXT: host.read %a to %wide : !host.buffer<f32>, memref<64xvector<4xf32>>
  host.read %a to %wide : !host.buffer<f32>, memref<64xvector<4xf32>>
  // CHECK-NEXT: host.release %a : !host.buffer<f32>
  host.release %a : !host.buffer<f32>
  func.return
}

ocl.kernel @fields(
  %s: !ocl.struct<"p", {x: f32, n: i32}> {ocl.name = "s"},
  %u: !ocl.union<"u", {x: f32, n: i32}> {ocl.name = "u"},
  %d: !ocl.ptr<f32, global> {ocl.name = "d"}
) {
  ocl.return
}

// CHECK: func.func @by_value
func.func @by_value(%n: index) {
  // CHECK-NEXT: %s = host.bytes "0000803f_07000000" : !ocl.struct<"p", {x: f32, n: i32}>
  %s = host.bytes "0000803f_07000000" : !ocl.struct<"p", {x: f32, n: i32}>
  // CHECK-NEXT: %u = host.bytes "07000000" : !ocl.union<"u", {x: f32, n: i32}>
  %u = host.bytes "07000000" : !ocl.union<"u", {x: f32, n: i32}>
  // CHECK-NEXT: %d = host.null : !host.buffer<f32>
  %d = host.null : !host.buffer<f32>
  // CHECK-NEXT: host.launch @fields global [%n] (%s, %u, %d) :
  host.launch @fields global [%n] (%s, %u, %d) : !ocl.struct<"p", {x: f32, n: i32}>, !ocl.union<"u", {x: f32, n: i32}>, !host.buffer<f32>
  func.return
}

// CHECK: func.func @events
func.func @events(%h: memref<?xf32>, %a: !host.buffer<f32>, %n: index) {
  // CHECK-NEXT: %e0 = host.write %h to %a : memref<?xf32>, !host.buffer<f32> -> !ocl.event
  %e0 = host.write %h to %a : memref<?xf32>, !host.buffer<f32> -> !ocl.event
  // CHECK-NEXT: %e1 = host.launch @nothing global [%n] () after %e0 -> !ocl.event
  %e1 = host.launch @nothing global [%n] () after %e0 -> !ocl.event
  // CHECK-NEXT: host.read %a to %h after %e0, %e1 : !host.buffer<f32>, memref<?xf32>
  host.read %a to %h after %e0, %e1 : !host.buffer<f32>, memref<?xf32>
  // CHECK-NEXT: host.wait %e0, %e1
  host.wait %e0, %e1
  func.return
}

// CHECK: func.func @others
func.func @others(%h: memref<?xi32>, %d: !host.buffer<!ocl.struct<"p", {x: f32, n: i32}>>, %n: index) {
  // CHECK-NEXT: host.opaque "log"() : () -> ()
  host.opaque "log"() : () -> ()
  // CHECK-NEXT: %x = host.opaque "measure"(%h, %d) : (memref<?xi32>, !host.buffer<!ocl.struct<"p", {x: f32, n: i32}>>) -> f32
  %x = host.opaque "measure"(%h, %d) : (memref<?xi32>, !host.buffer<!ocl.struct<"p", {x: f32, n: i32}>>) -> f32
  // CHECK-NEXT: %h2 = host.transpose %h rows %n columns %n : memref<?xi32>
  %h2 = host.transpose %h rows %n columns %n : memref<?xi32>
  // CHECK-NEXT: %d2 = host.transpose %d rows %n columns %n : !host.buffer<!ocl.struct<"p", {x: f32, n: i32}>>
  %d2 = host.transpose %d rows %n columns %n : !host.buffer<!ocl.struct<"p", {x: f32, n: i32}>>
  func.return
}

ocl.kernel @image(%a: !ocl.image<image2d, read> {ocl.name = "a"}, %s: !ocl.sampler {ocl.name = "s"}) {
  ocl.return
}

// CHECK: func.func @images
func.func @images(%h: memref<?xi8>, %n: index) {
  // The elements of an image are the channels of its pixels.
  // CHECK-NEXT: %a = host.image "image2d" [640, 480] "rgba" "unorm_int8" : !host.buffer<i8>
  %a = host.image "image2d" [640, 480] "rgba" "unorm_int8" : !host.buffer<i8>
  // CHECK-NEXT: host.write %h to %a : memref<?xi8>, !host.buffer<i8>
  host.write %h to %a : memref<?xi8>, !host.buffer<i8>
  // The number that CLK_ADDRESS_CLAMP_TO_EDGE and CLK_FILTER_NEAREST make.
  // CHECK-NEXT: %s = host.bytes "12000000" : !ocl.sampler
  %s = host.bytes "12000000" : !ocl.sampler
  // CHECK-NEXT: host.launch @image global [%n, %n] (%a, %s) : !host.buffer<i8>, !ocl.sampler
  host.launch @image global [%n, %n] (%a, %s) : !host.buffer<i8>, !ocl.sampler
  func.return
}
