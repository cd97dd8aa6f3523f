// RUN: OCL_INVALID

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.kernel': parameter 'a' cannot have type i1; pass a C bool as i8
ocl.kernel @k(%a: i1 {ocl.name = "a"}) {
  ocl.return
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.kernel': parameter 'a' cannot have type index
ocl.kernel @k(%a: index {ocl.name = "a"}) {
  ocl.return
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.kernel': parameter 'a' is a private pointer; a kernel takes global, constant or local pointers
ocl.kernel @k(%a: !ocl.ptr<f32, private> {ocl.name = "a"}) {
  ocl.return
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.kernel': parameter 'a' is a generic pointer; a kernel takes global, constant or local pointers
ocl.kernel @k(%a: !ocl.ptr<f32, generic> {ocl.name = "a"}) {
  ocl.return
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.kernel': parameter 0 has no name; add {ocl.name = ...}
ocl.kernel @k(%a: f32) {
  ocl.return
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.kernel': two parameters are named 'a'
ocl.kernel @k(%a: f32 {ocl.name = "a"}, %b: f32 {ocl.name = "a"}) {
  ocl.return
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.kernel': parameter 0 has no name; add {ocl.name = ...}
ocl.kernel @k(%a: f32 {ocl.name = 3 : i32}) {
  ocl.return
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.kernel': reqd_work_group_size needs 3 sizes, got 2
ocl.kernel @k() attributes {reqd_work_group_size = array<i64: 1, 2>} {
  ocl.return
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.kernel': reqd_work_group_size must be positive, got [1, 0, 1]
ocl.kernel @k() attributes {reqd_work_group_size = array<i64: 1, 0, 1>} {
  ocl.return
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.kernel': work_group_size_hint must be positive, got [1, -1, 1]
ocl.kernel @k() attributes {work_group_size_hint = array<i64: 1, -1, 1>} {
  ocl.return
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.kernel': work-group sizes are written array<i64: x, y, z> Underlying verification failure: 3 : i32 should be of base attribute array
ocl.kernel @k() attributes {reqd_work_group_size = 3 : i32} {
  ocl.return
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.kernel': work-group sizes are written array<i64: x, y, z> Underlying verification failure: Expected attribute i64 but got i32
ocl.kernel @k() attributes {reqd_work_group_size = array<i32: 1, 1, 1>} {
  ocl.return
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.kernel': a kernel returns nothing, got a result type
ocl.kernel @k() -> f32 {
  ocl.return
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.kernel': a kernel needs a body
ocl.kernel @k() { }

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.kernel': a block of a kernel must end in ocl.return or a branch
ocl.kernel @k() {
  %c = arith.constant 1 : i32
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.kernel': a kernel needs a body
ocl.kernel @k()

// -----

ocl.kernel @k() {
  // CHECK: [[# @LINE + 1]]:3: error: 'func.return': 'func.return' expects parent op 'func.func'
  func.return
}

// -----

func.func @f() {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.return': 'ocl.return' expects parent op 'ocl.kernel'
  ocl.return
}

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.kernel': the entry block's arguments differ from the parameter types
"ocl.kernel"() <{sym_name = "k", function_type = (f32) -> ()}> ({ "ocl.return"() : () -> () }) : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.kernel': parameter 0 has no name; add {ocl.name = ...}
"ocl.kernel"() <{sym_name = "k", function_type = (f32) -> ()}> ({^bb0(%a: f32): "ocl.return"() : () -> () }) : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.kernel': expected attributes for 1 parameters, got 0
"ocl.kernel"() <{sym_name = "k", function_type = (f32) -> (), arg_attrs = []}> ({^bb0(%a: f32): "ocl.return"() : () -> () }) : () -> ()

// -----

// CHECK: [[# @LINE + 1]]:1: error: 'ocl.kernel': a kernel needs a body
"ocl.kernel"() <{sym_name = "k", function_type = () -> ()}> ({}) : () -> ()

// -----

// CHECK: error: 'builtin.module': Redefinition of symbol "k"
ocl.kernel @k() {
  ocl.return
}
ocl.kernel @k() {
  ocl.return
}
