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
