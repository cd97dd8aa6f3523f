// RUN: OCL_INVALID

func.func @f(%n: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'host.launch': there is no kernel @k in the module
  host.launch @k global [%n] ()
  func.return
}

// -----

ocl.kernel @k(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  ocl.return
}
func.func @f(%n: index, %d: !host.buffer<f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'host.launch': kernel @k has 2 parameters (x, n), got 1 arguments
  host.launch @k global [%n] (%d) : !host.buffer<f32>
  func.return
}

// -----

ocl.kernel @k(%x: !ocl.ptr<f32, global> {ocl.name = "x"}) {
  ocl.return
}
func.func @f(%n: index, %d: !host.buffer<i32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'host.launch': kernel @k, parameter 'x' of type !ocl.ptr<f32, global>: expected !host.buffer<f32>, got !host.buffer<i32>
  host.launch @k global [%n] (%d) : !host.buffer<i32>
  func.return
}

// -----

ocl.kernel @k(%x: !ocl.ptr<f32, local> {ocl.name = "x"}) {
  ocl.return
}
func.func @f(%n: index, %d: !host.buffer<f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'host.launch': kernel @k, parameter 'x' of type !ocl.ptr<f32, local>: expected !host.local_memory, got !host.buffer<f32>
  host.launch @k global [%n] (%d) : !host.buffer<f32>
  func.return
}

// -----

ocl.kernel @k(%n: i32 {ocl.name = "n"}) {
  ocl.return
}
func.func @f(%n: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'host.launch': kernel @k, parameter 'n' of type i32: expected a value of type i32, got index
  host.launch @k global [%n] (%n) : index
  func.return
}

// -----

ocl.kernel @k() {
  ocl.return
}
func.func @f(%n: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'host.launch': expected 1 to 3 global sizes, got 4
  host.launch @k global [%n, %n, %n, %n] ()
  func.return
}

// -----

ocl.kernel @k() {
  ocl.return
}
func.func @f(%n: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'host.launch': expected as many local sizes as global sizes, 2, got 1
  host.launch @k global [%n, %n] local [%n] ()
  func.return
}

// -----

ocl.kernel @k() {
  ocl.return
}
func.func @f() {
  %c100 = arith.constant 100 : index
  %c64 = arith.constant 64 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'host.launch': the global size 100 is not a multiple of the local size 64
  host.launch @k global [%c100] local [%c64] ()
  func.return
}

// -----

ocl.kernel @k() attributes {reqd_work_group_size = array<i64: 32, 1, 1>} {
  ocl.return
}
func.func @f(%n: index) {
  %c64 = arith.constant 64 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'host.launch': kernel @k requires the local size [32, 1, 1], got 64 where it has 32
  host.launch @k global [%n] local [%c64] ()
  func.return
}

// -----

func.func @f(%h: memref<100xf32>) {
  %c128 = arith.constant 128 : index
  %d = host.buffer %c128 : !host.buffer<f32>
  // CHECK: [[# @LINE + 1]]:3: error: 'host.write': copies 512 bytes, the source has 400
  host.write %h to %d : memref<100xf32>, !host.buffer<f32>
  func.return
}

// -----

func.func @f(%h: memref<100xf64>) {
  %c128 = arith.constant 128 : index
  %d = host.buffer %c128 : !host.buffer<f32>
  // CHECK: [[# @LINE + 1]]:3: error: 'host.read': copies 512 bytes, the source at 512 has 0
  host.read %d[%c128] to %h count %c128 : !host.buffer<f32>, memref<100xf64>
  func.return
}

// -----

func.func @f(%h: memref<10x10xf32>, %d: !host.buffer<f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'host.write': the host's memory is one-dimensional, got memref<10x10xf32>
  host.write %h to %d : memref<10x10xf32>, !host.buffer<f32>
  func.return
}

// -----

func.func @f(%v: f32) {
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %d = host.buffer %c8 : !host.buffer<f32>
  // CHECK: [[# @LINE + 1]]:3: error: 'host.fill': fills 9 elements from 0 on, the buffer has 8
  host.fill %d with %v count %c9 : !host.buffer<f32>
  func.return
}

// -----

func.func @f() {
  %c0 = arith.constant 0 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'host.buffer': a buffer has at least one element, got 0
  %d = host.buffer %c0 : !host.buffer<f32>
  func.return
}

// -----

func.func @f() {
  %c0 = arith.constant 0 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'host.local_memory': expected at least 1 byte of local memory, got 0
  %l = host.local_memory %c0 : !host.local_memory
  func.return
}

// -----

func.func @f() {
  // CHECK: [[# @LINE + 1]]:3: error: 'host.bytes': a value of type !ocl.struct<"p", {x: f32, n: i32}> has 8 bytes, got 4
  %s = host.bytes "0000803f" : !ocl.struct<"p", {x: f32, n: i32}>
  func.return
}

// -----

func.func @f() {
  // CHECK: [[# @LINE + 1]]:3: error: 'host.bytes': expected two hexadecimal digits for each byte, got '0000803'
  %s = host.bytes "0000803" : !ocl.struct<"p", {x: f32}>
  func.return
}

// -----

func.func @f() {
  // CHECK: [[# @LINE + 1]]:3: error: 'host.wait': expected an event to wait for; host.finish waits for all
  host.wait
  func.return
}

// -----

func.func @f() {
  %c8 = arith.constant 8 : index
  %c3 = arith.constant 3 : index
  %d = host.buffer %c8 : !host.buffer<f32>
  // CHECK: [[# @LINE + 1]]:3: error: 'host.transpose': 3 rows of 3 elements do not fit memory of 8 elements
  %t = host.transpose %d rows %c3 columns %c3 : !host.buffer<f32>
  func.return
}

// -----

// CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: buffer element cannot have type i1; a C bool is i8 in memory
func.func private @f(!host.buffer<i1>)

// -----

func.func @f() {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'host.object': expected one of cl_context, cl_command_queue, cl_device_id, cl_platform_id, cl_program, got 'cl_sampler'
  %0 = host.object "cl_sampler" : !ocl.ptr<i8, private>
  func.return
}

// -----

func.func @f() {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'host.image': unknown order of channels 'rgb'; expected one of r, a, rg, ra, rgba, bgra, argb, intensity, luminance, depth
  %0 = host.image "image2d" [4, 2] "rgb" "float" : !host.buffer<f32>
  func.return
}

// -----

func.func @f() {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'host.image': an image3d has 3 sizes of at least 1, got [4, 2]
  %0 = host.image "image3d" [4, 2] "r" "float" : !host.buffer<f32>
  func.return
}

// -----

func.func @f() {
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'host.image': an image of unorm_int8 is !host.buffer<i8>, got !host.buffer<f32>
  %0 = host.image "image2d" [4, 2] "r" "unorm_int8" : !host.buffer<f32>
  func.return
}

// -----

ocl.kernel @k(%a: !ocl.image<image2d, read> {ocl.name = "a"}) {
  ocl.return
}

func.func @f() {
  %c8 = arith.constant 8 : index
  %0 = host.buffer %c8 : !host.buffer<f32>
  // CHECK: [[# @LINE + 1]]:{{.*}}: error: 'host.launch': kernel @k, parameter 'a' of type !ocl.image<image2d, read>: expected a host.image "image2d", got !host.buffer<f32>
  host.launch @k global [%c8] (%0) : !host.buffer<f32>
  func.return
}
