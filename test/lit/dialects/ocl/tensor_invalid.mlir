// RUN: OCL_INVALID

func.func @f(%tile: !ocl.ptr<f16, global>, %i: index) {
  // CHECK: expected local memory, got !ocl.ptr<f16, global>
  %a = ocl.load_matrix %tile[%i] : !ocl.ptr<f16, global> -> vector<4xi32>
  func.return
}

// -----

func.func @f(%tile: !ocl.ptr<f16, local>, %i: index) {
  // CHECK: expected 2 or 4 words of i32, got vector<8xi32>
  %a = ocl.load_matrix %tile[%i] : !ocl.ptr<f16, local> -> vector<8xi32>
  func.return
}

// -----

func.func @f(%a: vector<4xi32>, %b: vector<2xi32>, %c: f32) {
  // CHECK: expected four elements of c, and four results
  %d:2 = ocl.mma %a, %b, %c, %c : vector<4xi32>, vector<2xi32>, f32, f32 -> f32, f32
  func.return
}

// -----

func.func @f(%tile: !ocl.ptr<f32, local>, %i: index, %c: f32) {
  // CHECK: expected a pointer to f16 in local memory, got !ocl.ptr<f32, local>
  %d:4 = ocl.wgmma steps 16 pending 0 %tile[%i], %tile[%i], %c, %c, %c, %c : !ocl.ptr<f32, local>, !ocl.ptr<f32, local>, f32, f32, f32, f32 -> f32, f32, f32, f32
  func.return
}

// -----

func.func @f(%tile: !ocl.ptr<f16, local>, %i: index, %c: f32) {
  // CHECK: expected 4 sums for each 8 columns, of at most 256, got 2
  %d:2 = ocl.wgmma steps 16 pending 0 %tile[%i], %tile[%i], %c, %c : !ocl.ptr<f16, local>, !ocl.ptr<f16, local>, f32, f32 -> f32, f32
  func.return
}

// -----

func.func @f(%tile: !ocl.ptr<f16, local>, %i: index, %c: f32) {
  // CHECK: rows of 64 elements have no 128 steps
  %d:4 = ocl.wgmma steps 128 pending 0 %tile[%i], %tile[%i], %c, %c, %c, %c : !ocl.ptr<f16, local>, !ocl.ptr<f16, local>, f32, f32, f32, f32 -> f32, f32, f32, f32
  func.return
}

// -----

func.func @f(%tile: !ocl.ptr<f16, local>, %i: index, %c: f32) {
  // CHECK: the stride must be a multiple of 512
  %d:4 = ocl.wgmma steps 16 pending 0 %tile[%i] stride 64, %tile[%i], %c, %c, %c, %c : !ocl.ptr<f16, local>, !ocl.ptr<f16, local>, f32, f32, f32, f32 -> f32, f32, f32, f32
  func.return
}

// -----

func.func @f(%tile: !ocl.ptr<f16, local>, %i: index, %c: f32) {
  // CHECK: expected a multiple of 16 steps, got 24
  %d:4 = ocl.wgmma steps 24 pending 0 %tile[%i], %tile[%i], %c, %c, %c, %c : !ocl.ptr<f16, local>, !ocl.ptr<f16, local>, f32, f32, f32, f32 -> f32, f32, f32, f32
  func.return
}

// -----

func.func @f(%c: f32) {
  // CHECK: 2 sums, but 1 results
  %d = ocl.wait_products %c, %c : f32, f32 -> f32
  func.return
}
