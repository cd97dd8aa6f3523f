// RUN: OCL_INVALID

func.func @f(%a: vector<4xi32>) {
  // CHECK: 'arith.cmpi': expected result type vector<4xi1>, got i1
  %0 = "arith.cmpi"(%a, %a) <{predicate = 0 : i64}> : (vector<4xi32>, vector<4xi32>) -> i1
  func.return
}

// -----

func.func @f(%a: vector<4xi32>, %b: vector<2xi32>) {
  // CHECK: 'arith.cmpi': compares vector<4xi32> with vector<2xi32>
  %0 = "arith.cmpi"(%a, %b) <{predicate = 0 : i64}> : (vector<4xi32>, vector<2xi32>) -> vector<4xi1>
  func.return
}

// -----

func.func @f(%m: vector<2xi1>, %a: vector<4xi32>) {
  // CHECK: 'arith.select': expected a condition of type vector<4xi1>, got vector<2xi1>
  %0 = arith.select %m, %a, %a : vector<2xi1>, vector<4xi32>
  func.return
}

// -----

func.func @f(%a: vector<4xi32>) {
  // CHECK: 'arith.extsi': vector<4xi32> and vector<2xi64> differ in their number of elements
  %0 = arith.extsi %a : vector<4xi32> to vector<2xi64>
  func.return
}

// -----

func.func @f(%a: vector<4xi32>) {
  // CHECK: 'arith.extui': the result must be wider than vector<4xi32>, got vector<4xi16>
  %0 = arith.extui %a : vector<4xi32> to vector<4xi16>
  func.return
}

// -----

func.func @f(%a: vector<4xf32>) {
  // CHECK: 'arith.truncf': the result must be narrower than vector<4xf32>, got vector<4xf64>
  %0 = arith.truncf %a : vector<4xf32> to vector<4xf64>
  func.return
}

// -----

func.func @f(%a: vector<4xi32>) {
  // CHECK: 'arith.index_cast': casts between index and integers, got vector<4xi32> and vector<4xi64>
  %0 = arith.index_cast %a : vector<4xi32> to vector<4xi64>
  func.return
}
