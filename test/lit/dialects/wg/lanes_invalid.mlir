// RUN: OCL_INVALID

func.func @f(%p: !ocl.ptr<f32, global>, %i: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.load': vector<4xi32> does not have the element type of !ocl.ptr<f32, global>
  %v = wg.load %p[%i] : !ocl.ptr<f32, global> -> vector<4xi32>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, global>, %i: index) {
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.load': expected a vector of one dimension, got vector<2x4xf32>
  %v = wg.load %p[%i] : !ocl.ptr<f32, global> -> vector<2x4xf32>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, global>, %i: index, %m: vector<2xi1>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.load': expected a mask of type vector<4xi1>, got vector<2xi1>
  %v = wg.load %p[%i] mask %m : vector<2xi1> : !ocl.ptr<f32, global> -> vector<4xf32>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, constant>, %i: index, %v: vector<4xf32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.store': cannot write through !ocl.ptr<f32, constant>: constant memory is read-only
  wg.store %v, %p[%i] : vector<4xf32>, !ocl.ptr<f32, constant>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, global>, %i: vector<4xi64>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.gather': expected indices of type vector<4xindex>, got vector<4xi64>
  %v = wg.gather %p[%i] : vector<4xi64>, !ocl.ptr<f32, global> -> vector<4xf32>
  func.return
}

// -----

// The mask has one i1 for each lane, not for each of its elements.
func.func @f(%p: !ocl.ptr<f32, global>, %i: vector<4xindex>, %v: vector<8xf32>, %m: vector<8xi1>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.scatter': expected a mask of type vector<4xi1>, got vector<8xi1>
  wg.scatter %v, %p[%i] mask %m : vector<8xi1> : vector<8xf32>, vector<4xindex>, !ocl.ptr<f32, global>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, global>, %i: vector<8xindex>, %v: vector<4xf32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.scatter': expected indices of type vector<4xindex>, got vector<8xindex>
  wg.scatter %v, %p[%i] : vector<4xf32>, vector<8xindex>, !ocl.ptr<f32, global>
  func.return
}

// -----

func.func @f(%p: !ocl.ptr<f32, constant>, %i: vector<4xindex>, %v: vector<4xf32>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.scatter': cannot write through !ocl.ptr<f32, constant>: constant memory is read-only
  wg.scatter %v, %p[%i] : vector<4xf32>, vector<4xindex>, !ocl.ptr<f32, constant>
  func.return
}

// -----

func.func @f(%m: vector<4xi8>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.any_lane': expected a mask of i1, got vector<4xi8>
  %any = wg.any_lane %m : vector<4xi8>
  func.return
}

// -----

wg.func @f() {
  %n = arith.constant 8 : index
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.parallel': step must be positive, got [0, 1, 1]
  wg.parallel (%x, %y, %z) in (%n, %n, %n) step (0, 1, 1) {
  }
  wg.return
}

// -----

func.func @f(%n: i32, %p: !ocl.ptr<f32, local>, %i: vector<4xindex>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.update': expected a value of type f32 or vector<4xf32>, got i32
  wg.update add %n, %p[%i] : i32, vector<4xindex>, !ocl.ptr<f32, local>
  func.return
}

// -----

func.func @f(%m: vector<128xi1>) {
  // CHECK: [[# @LINE + 1]]:3: error: 'wg.lane_bits': expected a mask of at most 64 i1, got vector<128xi1>
  %b = wg.lane_bits %m : vector<128xi1>
  func.return
}
