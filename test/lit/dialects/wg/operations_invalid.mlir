// RUN: OCL_INVALID

// CHECK: [[# @LINE + 1]]:1: error: 'wg.func': parameter 0 has no name; add {ocl.name = ...}
wg.func @f(%a: f32) {
  wg.return
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'wg.func': a kernel returns nothing, got a result type
wg.func @f() -> i32 {
  wg.return
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'wg.func': 'ocl.global_id' belongs to one work-item and has no meaning in a wg.func; inside wg.parallel the block arguments are the local ids
wg.func @f() {
  %0 = ocl.global_id 0 : index
  wg.return
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'wg.func': 'ocl.local_id' belongs to one work-item and has no meaning in a wg.func; inside wg.parallel the block arguments are the local ids
wg.func @f() {
  %0 = ocl.local_id 0 : index
  wg.return
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'wg.func': 'ocl.barrier' belongs to one work-item and has no meaning in a wg.func; inside wg.parallel the block arguments are the local ids
wg.func @f() {
  ocl.barrier local
  wg.return
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'wg.func': local_size needs 3 sizes, got 1
wg.func @f() attributes {local_size = array<i64: 8>} {
  wg.return
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'wg.func': local_size must be positive, got [8, 0, 1]
wg.func @f() attributes {local_size = array<i64: 8, 0, 1>} {
  wg.return
}

// -----

wg.func @f() {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.return': 'ocl.return' expects parent op 'ocl.kernel'
  ocl.return
}

// -----

wg.func @f() {
  // CHECK: [[# @LINE + 1]]:3: error: 'arith.constant': Operation arith.constant terminates block in single-block region but is not a terminator
  %0 = arith.constant 1 : i32
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'wg.func': a kernel needs a body
wg.func @f() { }

// -----

func.func @f() {
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.return': 'wg.return' expects parent op 'wg.func'
  wg.return
}

// -----

wg.func @f() {
  %0 = arith.constant 1 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.parallel': expected 3 local sizes, got 2
  wg.parallel (%i, %j, %k) in (%0, %0) { }
  wg.return
}

// -----

wg.func @f() {
  %0 = arith.constant 1 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.parallel': expected 3 local ids of type index as block arguments
  wg.parallel (%i, %j) in (%0, %0, %0) { }
  wg.return
}

// -----

wg.func @f() {
  %0 = arith.constant 1 : i32
  // CHECK: [[# @LINE + 1]]:32: error: operand is used with type index, but has been previously used or defined with type i32
  wg.parallel (%i, %j, %k) in (%0, %0, %0) { }
  wg.return
}

// -----

wg.func @f() {
  %0 = arith.constant 1 : index
  wg.parallel (%i, %j, %k) in (%0, %0, %0) {
    // CHECK: [[# @LINE + 1]]:5: error: 'wg.parallel': a parallel region cannot be inside another one
    wg.parallel (%x, %y, %z) in (%0, %0, %0) { }
  }
  wg.return
}

// -----

wg.func @f() {
  %0 = arith.constant 1 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.parallel': yields index, but has results i32
  wg.parallel (%i, %j, %k) in (%0, %0, %0) { wg.yield %i : index } : i32
  wg.return
}

// -----

wg.func @f() {
  %0 = arith.constant 1 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.parallel': yields nothing, but has results i32
  %r = wg.parallel (%i, %j, %k) in (%0, %0, %0) { } : i32
  wg.return
}

// -----

wg.func @f() {
  %0 = arith.constant 1 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.parallel': yields index, but has results none
  wg.parallel (%i, %j, %k) in (%0, %0, %0) { wg.yield %i : index }
  wg.return
}

// -----

func.func @f(%0 : index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.parallel': a parallel region must be in a wg.func
  wg.parallel (%i, %j, %k) in (%0, %0, %0) { }
  func.return
}

// -----

wg.func @f() {
  %0 = arith.constant 1 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.parallel': expected wg.yield at the end of the body
  "wg.parallel"(%0, %0, %0) ({ ^bb0(%i: index, %j: index, %k: index): scf.yield }) : (index, index, index) -> ()
  wg.return
}

// -----

wg.func @f() {
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.yield': 'wg.yield' expects parent op 'wg.parallel'
  wg.yield
}

// -----

wg.func @f() {
  %0 = arith.constant 1 : index
  // CHECK: [[# @LINE + 1]]:35: error: 'wg.context': a context array must be at the top level of a wg.func, not inside 'scf.for'
  scf.for %i = %0 to %0 step %0 { %c = wg.context : !wg.context<f32> }
  wg.return
}

// -----

func.func @f() {
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.context': a context array must be at the top level of a wg.func, not inside 'func.func'
  %c = wg.context : !wg.context<f32>
  func.return
}

// -----

wg.func @f() {
  %c = wg.context : !wg.context<f32>
  %0 = arith.constant 1 : index
  %1 = arith.constant 1 : i32
  // CHECK: [[# @LINE + 1]]:10: error: operand is used with type f32, but has been previously used or defined with type i32
  wg.put %1, %c[%0, %0, %0] : !wg.context<f32>
  wg.return
}

// -----

wg.func @f() {
  %c = wg.context : !wg.context<f32>
  %0 = arith.constant 1 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.get': a slot is named by 3 local ids, got 2
  %1 = wg.get %c[%0, %0] : !wg.context<f32>
  wg.return
}

// -----

wg.func @f() {
  %c = wg.context : !wg.context<f32>
  %0 = arith.constant 1 : index
  %1 = arith.constant 1.0 : f32
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.put': a slot is named by 3 local ids, got 1
  wg.put %1, %c[%0] : !wg.context<f32>
  wg.return
}

// -----

wg.func @f() {
  %c = wg.context : !wg.context<f32>
  %0 = arith.constant 1 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.slot': a slot is named by 3 local ids, got 1
  %1 = wg.slot %c[%0] : !wg.context<f32> -> !ocl.ptr<f32, private>
  wg.return
}

// -----

wg.func @f() {
  %c = wg.context : !wg.context<f32>
  %0 = arith.constant 1 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.slot': expected result type !ocl.ptr<f32, private>, got !ocl.ptr<f32, local>
  %1 = wg.slot %c[%0, %0, %0] : !wg.context<f32> -> !ocl.ptr<f32, local>
  wg.return
}

// -----

wg.func @f() {
  %c = wg.context : !wg.context<i1>
  %0 = arith.constant 1 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.slot': pointee cannot have type i1; a C bool is i8 in memory
  %1 = wg.slot %c[%0, %0, %0] : !wg.context<i1> -> !ocl.ptr<i8, private>
  wg.return
}

// -----

wg.func @f() {
  %c = wg.context : !wg.context<f32>
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.any': expected a context array of i1, got !wg.context<f32>
  %1 = wg.any %c : !wg.context<f32>
  wg.return
}

// -----

wg.func @f() {
  %c = wg.context : !wg.context<!ocl.array<4 x f32>>
  %0 = arith.constant 1 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.get': a value of type !ocl.array<4 x f32> lives in memory only; access its elements instead
  %1 = wg.get %c[%0, %0, %0] : !wg.context<!ocl.array<4 x f32>>
  wg.return
}

// -----

wg.func @f() {
  %0 = arith.constant true
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.chosen': expected the result of a 'wg.choose'
  wg.chosen %0
  wg.return
}
