// RUN: OCL_INVALID

func.func @f(%s: !ocl.struct<"s", {a: f32}>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.extract': !ocl.struct<"s", {a: f32}> has no field 'b'
  %0 = ocl.extract %s["b"] : !ocl.struct<"s", {a: f32}> -> f32
  func.return
}

// -----

func.func @f(%s: !ocl.struct<"s", {a: f32}>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.extract': field 'a' has type f32, got i32
  %0 = ocl.extract %s["a"] : !ocl.struct<"s", {a: f32}> -> i32
  func.return
}

// -----

func.func @f(%s: !ocl.struct<"s", {a: !ocl.array<2 x f32>}>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.extract': !ocl.array<2 x f32> has no element 2
  %0 = ocl.extract %s["a"] at [2] : !ocl.struct<"s", {a: !ocl.array<2 x f32>}> -> f32
  func.return
}

// -----

func.func @f(%s: !ocl.struct<"s", {a: !ocl.array<2 x f32>}>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.extract': the element has type f32, got i32
  %0 = ocl.extract %s["a"] at [1] : !ocl.struct<"s", {a: !ocl.array<2 x f32>}> -> i32
  func.return
}

// -----

func.func @f(%s: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.extract': operand 'struct' at position 0 does not verify: f32 should be of base attribute ocl.struct
  %0 = "ocl.extract"(%s) <{field = "a"}> : (f32) -> i32
  func.return
}

// -----

func.func @f(%s: !ocl.struct<"s", {a: f32}>, %v: i32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.insert': field 'a' has type f32, got i32
  %0 = ocl.insert %v, %s["a"] : i32, !ocl.struct<"s", {a: f32}>
  func.return
}

// -----

func.func @f(%s: !ocl.struct<"s", {a: f32}>, %v: i32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.insert': !ocl.struct<"s", {a: f32}> has no field 'b'
  %0 = ocl.insert %v, %s["b"] : i32, !ocl.struct<"s", {a: f32}>
  func.return
}

// -----

func.func @f(%s: f32, %v: i32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.insert': expected a struct value, got f32
  %0 = ocl.insert %v, %s["b"] : i32, f32
  func.return
}

// -----

func.func @f(%a: f32, %b: i32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.concat': i32 cannot be a part of vector<2xf32>
  %0 = ocl.concat %a, %b : f32, i32 -> vector<2xf32>
  func.return
}

// -----

func.func @f(%a: f32, %b: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.concat': expected 3 elements, got 2
  %0 = ocl.concat %a, %b : f32, f32 -> vector<3xf32>
  func.return
}

// -----

func.func @f(%a: f32, %b: vector<4xf32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.concat': expected an OpenCL vector type, got vector<5xf32>
  %0 = ocl.concat %a, %b : f32, vector<4xf32> -> vector<5xf32>
  func.return
}

// -----

func.func @f(%a: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.bitcast': f32 has 4 bytes, i64 has 8
  %0 = ocl.bitcast %a : f32 to i64
  func.return
}

// -----

func.func @f(%a: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.bitcast': expected a scalar or a vector, got index
  %0 = ocl.bitcast %a : index to i64
  func.return
}

// -----

func.func @f(%a: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.convert': f32 and vector<2xi32> differ in their number of elements
  %0 = ocl.convert %a : f32 to vector<2xi32>
  func.return
}

// -----

func.func @f(%a: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.convert': only a conversion to integers saturates, got f16
  %0 = ocl.convert %a sat : f32 to f16
  func.return
}

// -----

func.func @f(%a: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.convert': only an integer type can be unsigned, got f32
  %0 = ocl.convert %a : unsigned f32 to i32
  func.return
}

// -----

func.func @f(%a: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.convert': only an integer type can be unsigned, got f16
  %0 = ocl.convert %a : f32 to unsigned f16
  func.return
}

// -----

func.func @f(%a: f32) {
  // CHECK: [[# @LINE + 1]]:32: error: Expected `rte`, `rtz`, `rtp`, or `rtn`.
  %0 = ocl.convert %a rounding up : f32 to f16
  func.return
}

// -----

func.func @f(%a: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.convert': expected a scalar or a vector, got index
  %0 = ocl.convert %a : index to f16
  func.return
}

// -----

func.func @f(%a: !ocl.ptr<f32, local>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.convert': expected a scalar or a vector, got !ocl.ptr<f32, local>
  %0 = ocl.convert %a : !ocl.ptr<f32, local> to f16
  func.return
}

// -----

func.func @f(%a: vector<4xf32>, %m: vector<2xf32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.shuffle': the mask must hold integers, got vector<2xf32>
  %0 = ocl.shuffle %a, %m : vector<4xf32>, vector<2xf32> -> vector<2xf32>
  func.return
}

// -----

func.func @f(%a: vector<4xf32>, %m: vector<2xi32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.shuffle': expected result type vector<2xf32>, got vector<4xf32>
  %0 = ocl.shuffle %a, %m : vector<4xf32>, vector<2xi32> -> vector<4xf32>
  func.return
}

// -----

func.func @f(%a: vector<3xf32>, %m: vector<2xi32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.shuffle': expected a vector of 2, 4, 8 or 16 elements, got vector<3xf32>
  %0 = ocl.shuffle %a, %m : vector<3xf32>, vector<2xi32> -> vector<2xf32>
  func.return
}

// -----

func.func @f(%a: f32, %m: vector<2xi32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'ocl.shuffle2': expected a vector of 2, 4, 8 or 16 elements, got f32
  %0 = ocl.shuffle2 %a, %a, %m : f32, vector<2xi32> -> vector<2xf32>
  func.return
}
