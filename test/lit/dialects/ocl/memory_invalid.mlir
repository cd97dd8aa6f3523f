// RUN: OCL_INVALID

func.func @f() {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.alloca': allocates private memory, got !ocl.ptr<f32, local>
  %0 = ocl.alloca : !ocl.ptr<f32, local>
  func.return
}

// -----

func.func @f() {
  // CHECK: [[# @LINE + 1]]:3: error: f32 should be of base attribute ocl.ptr
  %0 = ocl.alloca : f32
  func.return
}

// -----

ocl.kernel @f() {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.local_alloc': allocates local memory, got !ocl.ptr<f32, private>
  %0 = ocl.local_alloc : !ocl.ptr<f32, private>
  ocl.return
}

// -----

func.func @f() {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.local_alloc': local memory is allocated at the top level of a kernel, not inside 'func.func'
  %0 = ocl.local_alloc : !ocl.ptr<f32, local>
  func.return
}

// -----

ocl.kernel @f() {
  %c = arith.constant true
  // CHECK: [[# @LINE + 1]]:15: error: 'ocl.local_alloc': local memory is allocated at the top level of a kernel, not inside 'scf.if'
  scf.if %c { %0 = ocl.local_alloc : !ocl.ptr<f32, local> }
  ocl.return
}

// -----

func.func @f(%p: !ocl.ptr<!ocl.array<4 x f32>, local>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.load': a value of type !ocl.array<4 x f32> lives in memory only; access its elements instead
  %0 = ocl.load %p : !ocl.ptr<!ocl.array<4 x f32>, local>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<!ocl.union<"u", {a: f32}>, local>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.load': a value of type !ocl.union<"u", {a: f32}> lives in memory only; access its elements instead
  %0 = ocl.load %p : !ocl.ptr<!ocl.union<"u", {a: f32}>, local>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, local>, %i: i32) {
  // CHECK: [[# @LINE + 1]]:20: error: operand is used with type index, but has been previously used or defined with type i32
  %0 = ocl.load %p[%i] : !ocl.ptr<f32, local>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, local>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.load': result 'result' at position 0 does not verify: attribute f32 expected from variable 'T', but got i32
  %0 = "ocl.load"(%p) <{operandSegmentSizes = array<i32: 1, 0>}> : (!ocl.ptr<f32, local>) -> i32
  func.return
}

// -----

func.func @f(%p: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.load': operand 'pointer' at position 0 does not verify: f32 should be of base attribute ocl.ptr
  %0 = "ocl.load"(%p) : (f32) -> f32
  func.return
}

// -----

func.func @f(%p: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: f32 should be of base attribute ocl.ptr
  %0 = ocl.load %p : f32
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, constant>, %v: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.store': cannot write through !ocl.ptr<f32, constant>: constant memory is read-only
  ocl.store %v, %p : !ocl.ptr<f32, constant>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, global>, %v: i32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.store': operand 'pointer' at position 1 does not verify: attribute i32 expected from variable 'T', but got f32
  "ocl.store"(%v, %p) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, !ocl.ptr<f32, global>) -> ()
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, global>, %v: i32) {
  // CHECK: [[# @LINE + 1]]:13: error: operand is used with type f32, but has been previously used or defined with type i32
  ocl.store %v, %p : !ocl.ptr<f32, global>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<!ocl.array<4 x f32>, local>, %q: !ocl.array<4 x f32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.store': a value of type !ocl.array<4 x f32> lives in memory only; access its elements instead
  ocl.store %q, %p : !ocl.ptr<!ocl.array<4 x f32>, local>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, local>, %i: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.vload': expected a vector of 2, 3, 4, 8 or 16 elements, got vector<5xf32>
  %0 = ocl.vload %p[%i] : !ocl.ptr<f32, local> -> vector<5xf32>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, local>, %i: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.vload': vector<4xi32> does not have the element type of !ocl.ptr<f32, local>
  %0 = ocl.vload %p[%i] : !ocl.ptr<f32, local> -> vector<4xi32>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, local>, %i: index) {
  // CHECK: [[# @LINE + 1]]:3: error: f32 should be of base attribute vector
  %0 = ocl.vload %p[%i] : !ocl.ptr<f32, local> -> f32
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, constant>, %i: index, %v: vector<2xf32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.vstore': cannot write through !ocl.ptr<f32, constant>: constant memory is read-only
  ocl.vstore %v, %p[%i] : vector<2xf32>, !ocl.ptr<f32, constant>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, local>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.member': expected a pointer to a struct or union, got !ocl.ptr<f32, local>
  %0 = ocl.member %p["a"] : !ocl.ptr<f32, local> -> !ocl.ptr<f32, local>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<!ocl.struct<"s", {a: f32}>, local>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.member': !ocl.struct<"s", {a: f32}> has no field 'b'
  %0 = ocl.member %p["b"] : !ocl.ptr<!ocl.struct<"s", {a: f32}>, local> -> !ocl.ptr<f32, local>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<!ocl.struct<"s", {a: f32}>, local>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.member': field 'a' is !ocl.ptr<f32, local>, got !ocl.ptr<f32, global>
  %0 = ocl.member %p["a"] : !ocl.ptr<!ocl.struct<"s", {a: f32}>, local> -> !ocl.ptr<f32, global>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, local>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.cast': cannot cast a local pointer to the global address space: they are disjoint
  %0 = ocl.cast %p : !ocl.ptr<f32, local> to !ocl.ptr<f32, global>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, generic>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.cast': cannot cast a generic pointer to the constant address space: they are disjoint
  %0 = ocl.cast %p : !ocl.ptr<f32, generic> to !ocl.ptr<f32, constant>
  func.return
}

// -----

func.func @f(%p: i32) {
  // CHECK: [[# @LINE + 1]]:23: error: operand is used with type i64, but has been previously used or defined with type i32
  %0 = ocl.int_to_ptr %p : !ocl.ptr<f32, generic>
  func.return
}

// -----

func.func @f() {
  // CHECK: [[# @LINE + 1]]:3: error: i32 should be of base attribute ocl.ptr
  %0 = ocl.null : i32
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<i32, generic>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.is_in': expected global, local or private memory, got constant
  %0 = ocl.is_in constant %p : !ocl.ptr<i32, generic>
  func.return
}
