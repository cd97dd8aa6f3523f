// RUN: OCL_INVALID

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.barrier': a barrier must be in an ocl.kernel or in a function that one calls, found in 'builtin.module'
ocl.barrier local

// -----

func.func @f() {
  // CHECK: [[# @LINE + 1]]:13: error: Expected `acquire`, `release`, or `acq_rel`.
  ocl.fence seq_cst local
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<i32, private>, %v: i32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.atomic_rmw': an atomic works on global or local memory, got a private pointer
  %0 = ocl.atomic_rmw add %p, %v : !ocl.ptr<i32, private>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<i32, constant>, %v: i32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.atomic_rmw': an atomic works on global or local memory, got a constant pointer
  %0 = ocl.atomic_rmw add %p, %v : !ocl.ptr<i32, constant>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f16, local>, %v: f16) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.atomic_rmw': an atomic works on 8, 16, 32 or 64 bits, got f16
  %0 = ocl.atomic_rmw fadd %p, %v : !ocl.ptr<f16, local>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, local>, %v: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.atomic_rmw': atomic add works on integers, got f32
  %0 = ocl.atomic_rmw add %p, %v : !ocl.ptr<f32, local>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<i32, local>, %v: i32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.atomic_rmw': atomic fadd works on floats, got i32
  %0 = ocl.atomic_rmw fadd %p, %v : !ocl.ptr<i32, local>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<i32, local>, %v: i32) {
  // CHECK: [[# @LINE + 1]]:23: error: Expected `add`, `sub`, `xchg`, `and`, `or`, `xor`, `smin`, `smax`, `umin`, `umax`, `fadd`, `fmin`, or `fmax`.
  %0 = ocl.atomic_rmw mul %p, %v : !ocl.ptr<i32, local>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, local>, %v: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.atomic_cmpxchg': compare and exchange works on 8, 16, 32 or 64 bits, got f32
  %0 = ocl.atomic_cmpxchg %p, %v, %v : !ocl.ptr<f32, local>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<i32, constant>, %v: i32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.atomic_cmpxchg': an atomic works on global or local memory, got a constant pointer
  %0 = ocl.atomic_cmpxchg %p, %v, %v : !ocl.ptr<i32, constant>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, local>, %q: !ocl.ptr<f32, private>, %n: index, %e: !ocl.event) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.async_copy': an async copy goes between local and global memory, got private to local
  %0 = ocl.async_copy %p, %q, %n, %e : !ocl.ptr<f32, local>, !ocl.ptr<f32, private>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, local>, %q: !ocl.ptr<f64, global>, %n: index, %e: !ocl.event) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.async_copy': copies f64 to f32
  %0 = ocl.async_copy %p, %q, %n, %e : !ocl.ptr<f32, local>, !ocl.ptr<f64, global>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, local>, %n: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.wait_events': expected a pointer to events, got !ocl.ptr<f32, local>
  ocl.wait_events %n, %p : !ocl.ptr<f32, local>
  func.return
}

// -----

func.func @f(%p: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: Expected attribute i32 but got i64
  %0 = ocl.printf "%d"(%p) : (f32) -> i64
  func.return
}

// -----

func.func @f(%p: memref<4xf32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.printf': cannot print a value of type memref<4xf32>
  %0 = ocl.printf "%d"(%p) : (memref<4xf32>) -> i32
  func.return
}
