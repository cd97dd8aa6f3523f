// RUN: OCL_INVALID

func.func @f(%a: vector<4xi32>) {
  // CHECK: 'vec.cmpi': expected result type vector<4xi1>, got vector<2xi1>
  %0 = "vec.cmpi"(%a, %a) <{predicate = 0 : i64}> : (vector<4xi32>, vector<4xi32>) -> vector<2xi1>
  func.return
}

// -----

func.func @f(%a: vector<4xi32>, %b: vector<2xi32>) {
  // CHECK: 'vec.cmpi': compares vector<4xi32> with vector<2xi32>
  %0 = "vec.cmpi"(%a, %b) <{predicate = 0 : i64}> : (vector<4xi32>, vector<2xi32>) -> vector<4xi1>
  func.return
}

// -----

func.func @f(%m: vector<2xi1>, %a: vector<4xi32>) {
  // CHECK: 'vec.select': expected a condition of type vector<4xi1>, got vector<2xi1>
  %0 = vec.select %m, %a, %a : vector<2xi1>, vector<4xi32>
  func.return
}

// -----

func.func @f(%a: vector<4xi32>) {
  // CHECK: 'vec.extsi': vector<4xi32> and vector<2xi64> differ in their number of elements
  %0 = vec.extsi %a : vector<4xi32> to vector<2xi64>
  func.return
}

// -----

func.func @f(%a: vector<4xi32>) {
  // CHECK: 'vec.extui': the result must be wider than vector<4xi32>, got vector<4xi16>
  %0 = vec.extui %a : vector<4xi32> to vector<4xi16>
  func.return
}

// -----

func.func @f(%a: vector<4xf32>) {
  // CHECK: 'vec.truncf': the result must be narrower than vector<4xf32>, got vector<4xf64>
  %0 = vec.truncf %a : vector<4xf32> to vector<4xf64>
  func.return
}

// -----

func.func @f(%a: vector<4xi32>) {
  // CHECK: 'vec.index_cast': casts between index and integers, got vector<4xi32> and vector<4xi64>
  %0 = vec.index_cast %a : vector<4xi32> to vector<4xi64>
  func.return
}

// -----

func.func @f(%i: vector<4xi32>) {
  // CHECK: 'vec.lookup': f32 at vector<4xi32> is not vector<2xf32>
  %0 = vec.lookup %i in array<f32: 1.0, 2.0> : vector<4xi32> to vector<2xf32>
  func.return
}

// -----

func.func @f(%i: i64) {
  // CHECK: 'vec.lookup': expected indices as wide as f32, got i64
  %0 = vec.lookup %i in array<f32: 1.0, 2.0> : i64 to f32
  func.return
}

// -----

func.func @f(%i: i32) {
  // CHECK: 'vec.lookup': expected 2^n numbers in the table, got 3
  %0 = vec.lookup %i in array<f32: 1.0, 2.0, 3.0> : i32 to f32
  func.return
}
