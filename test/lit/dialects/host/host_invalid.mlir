// RUN: OCL_INVALID

func.func @f(%n: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.launch': there is no kernel @k in the module
  ocl.launch @k global [%n] ()
  func.return
}

// -----

ocl.kernel @k(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  ocl.return
}
func.func @f(%n: index, %d: !ocl.buffer<f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.launch': kernel @k has 2 parameters (x, n), got 1 arguments
  ocl.launch @k global [%n] (%d) : !ocl.buffer<f32>
  func.return
}

// -----

ocl.kernel @k(%x: !ocl.ptr<f32, global> {ocl.name = "x"}) {
  ocl.return
}
func.func @f(%n: index, %d: !ocl.buffer<i32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.launch': kernel @k, parameter 'x' of type !ocl.ptr<f32, global>: expected !ocl.buffer<f32>, got !ocl.buffer<i32>
  ocl.launch @k global [%n] (%d) : !ocl.buffer<i32>
  func.return
}

// -----

ocl.kernel @k(%x: !ocl.ptr<f32, local> {ocl.name = "x"}) {
  ocl.return
}
func.func @f(%n: index, %d: !ocl.buffer<f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.launch': kernel @k, parameter 'x' of type !ocl.ptr<f32, local>: expected !ocl.local_memory, got !ocl.buffer<f32>
  ocl.launch @k global [%n] (%d) : !ocl.buffer<f32>
  func.return
}

// -----

ocl.kernel @k(%n: i32 {ocl.name = "n"}) {
  ocl.return
}
func.func @f(%n: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.launch': kernel @k, parameter 'n' of type i32: expected a value of type i32, got index
  ocl.launch @k global [%n] (%n) : index
  func.return
}

// -----

ocl.kernel @k() {
  ocl.return
}
func.func @f(%n: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.launch': expected 1 to 3 global sizes, got 4
  ocl.launch @k global [%n, %n, %n, %n] ()
  func.return
}

// -----

ocl.kernel @k() {
  ocl.return
}
func.func @f(%n: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.launch': expected as many local sizes as global sizes, 2, got 1
  ocl.launch @k global [%n, %n] local [%n] ()
  func.return
}

// -----

ocl.kernel @k() {
  ocl.return
}
func.func @f() {
  %c100 = arith.constant 100 : index
  %c64 = arith.constant 64 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.launch': the global size 100 is no multiple of the local size 64
  ocl.launch @k global [%c100] local [%c64] ()
  func.return
}

// -----

ocl.kernel @k() attributes {reqd_work_group_size = array<i64: 32, 1, 1>} {
  ocl.return
}
func.func @f(%n: index) {
  %c64 = arith.constant 64 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.launch': kernel @k requires the local size [32, 1, 1], got 64 where it has 32
  ocl.launch @k global [%n] local [%c64] ()
  func.return
}

// -----

func.func @f(%h: memref<100xf32>) {
  %c128 = arith.constant 128 : index
  %d = ocl.buffer %c128 : !ocl.buffer<f32>
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.write': copies 512 bytes, the source has 400
  ocl.write %h to %d : memref<100xf32>, !ocl.buffer<f32>
  func.return
}

// -----

func.func @f(%h: memref<100xf64>) {
  %c128 = arith.constant 128 : index
  %d = ocl.buffer %c128 : !ocl.buffer<f32>
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.read': copies 512 bytes, the source at 512 has 0
  ocl.read %d[%c128] to %h count %c128 : !ocl.buffer<f32>, memref<100xf64>
  func.return
}

// -----

func.func @f(%h: memref<10x10xf32>, %d: !ocl.buffer<f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.write': the host's memory is one-dimensional, got memref<10x10xf32>
  ocl.write %h to %d : memref<10x10xf32>, !ocl.buffer<f32>
  func.return
}

// -----

func.func @f(%v: f32) {
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %d = ocl.buffer %c8 : !ocl.buffer<f32>
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.fill': fills 9 elements from 0 on, the buffer has 8
  ocl.fill %d with %v count %c9 : !ocl.buffer<f32>
  func.return
}

// -----

func.func @f() {
  %c0 = arith.constant 0 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.buffer': a buffer has at least one element, got 0
  %d = ocl.buffer %c0 : !ocl.buffer<f32>
  func.return
}

// -----

func.func @f() {
  %c0 = arith.constant 0 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.local_memory': expected at least 1 byte of local memory, got 0
  %l = ocl.local_memory %c0 : !ocl.local_memory
  func.return
}

// -----

func.func @f() {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.wait': expected an event to wait for; ocl.finish waits for all
  ocl.wait
  func.return
}

// -----

func.func @f() {
  %c8 = arith.constant 8 : index
  %c3 = arith.constant 3 : index
  %d = ocl.buffer %c8 : !ocl.buffer<f32>
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.transpose': 3 rows of 3 elements are to be in memory of 8 elements
  %t = ocl.transpose %d rows %c3 columns %c3 : !ocl.buffer<f32>
  func.return
}

// -----

// CHECK: [[# @LINE + 1]]:{{[0-9]+}}: error: buffer element cannot have type i1; a C bool is i8 in memory
func.func private @f(!ocl.buffer<i1>)
