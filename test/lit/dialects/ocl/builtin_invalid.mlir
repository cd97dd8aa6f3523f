// RUN: OCL_INVALID

func.func @f(%a: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.builtin': unknown builtin function 'clmap'; did you mean 'clamp' or 'u_clamp'?
  %0 = ocl.builtin "clmap"(%a, %a, %a) : (f32, f32, f32) -> f32
  func.return
}

// -----

func.func @f(%a: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.builtin': unknown builtin function 'mul_hi'; did you mean 'u_mul_hi' or 's_mul_hi'?
  %0 = ocl.builtin "mul_hi"(%a, %a) : (f32, f32) -> f32
  func.return
}

// -----

func.func @f(%a: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.builtin': 'clamp' takes 3 arguments, got 2
  %0 = ocl.builtin "clamp"(%a, %a) : (f32, f32) -> f32
  func.return
}

// -----

func.func @f(%a: f32, %b: f64) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.builtin': argument 1 of 'clamp' must be f32, got f64
  %0 = ocl.builtin "clamp"(%a, %b, %a) : (f32, f64, f32) -> f32
  func.return
}

// -----

func.func @f(%a: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.builtin': 'clamp' returns f32, got f64
  %0 = ocl.builtin "clamp"(%a, %a, %a) : (f32, f32, f32) -> f64
  func.return
}

// -----

func.func @f(%a: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.builtin': 'clamp' returns f32, got nothing
  ocl.builtin "clamp"(%a, %a, %a) : (f32, f32, f32) -> ()
  func.return
}

// -----

func.func @f(%a: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.builtin': 's_abs' works on integers, got f32
  %0 = ocl.builtin "s_abs"(%a) : (f32) -> f32
  func.return
}

// -----

func.func @f(%a: i32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.builtin': 'sign' works on floats, got i32
  %0 = ocl.builtin "sign"(%a) : (i32) -> i32
  func.return
}

// -----

func.func @f(%a: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.builtin': 'bitselect' works on OpenCL types, got index
  %0 = ocl.builtin "bitselect"(%a, %a, %a) : (index, index, index) -> index
  func.return
}

// -----

func.func @f(%a: vector<5xf32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.builtin': 'sign' works on OpenCL types, got vector<5xf32>
  %0 = ocl.builtin "sign"(%a) : (vector<5xf32>) -> vector<5xf32>
  func.return
}

// -----

func.func @f(%a: i1) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.builtin': 's_abs' works on OpenCL types, got i1
  %0 = ocl.builtin "s_abs"(%a) : (i1) -> i1
  func.return
}

// -----

func.func @f(%a: i128) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.builtin': 's_abs' works on OpenCL types, got i128
  %0 = ocl.builtin "s_abs"(%a) : (i128) -> i128
  func.return
}

// -----

func.func @f(%a: i64) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.builtin': 'upsample' works on integers of at most 32 bits, got i64
  %0 = ocl.builtin "upsample"(%a, %a) : (i64, i64) -> i128
  func.return
}

// -----

func.func @f(%a: vector<8xf32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.builtin': 'dot' works on at most 4 elements, got vector<8xf32>
  %0 = ocl.builtin "dot"(%a, %a) : (vector<8xf32>, vector<8xf32>) -> f32
  func.return
}

// -----

func.func @f(%a: vector<2xf32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.builtin': 'cross' works on 3 or 4 elements, got vector<2xf32>
  %0 = ocl.builtin "cross"(%a, %a) : (vector<2xf32>, vector<2xf32>) -> vector<2xf32>
  func.return
}

// -----

func.func @f(%a: i32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.builtin': 'nan' works on floats, got i32
  %0 = ocl.builtin "nan"(%a) : (i32) -> i32
  func.return
}

// -----

func.func @f(%a: i32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.builtin': 'nan' works on floats, got i32
  ocl.builtin "nan"(%a) : (i32) -> ()
  func.return
}
