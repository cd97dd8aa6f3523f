// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

func.func @tensor(%tile: !ocl.ptr<f16, local>, %i: index, %c: f32) -> f32 {
  // CHECK: %a = ocl.load_matrix %tile[%i] : !ocl.ptr<f16, local> -> vector<4xi32>
  %a = ocl.load_matrix %tile[%i] : !ocl.ptr<f16, local> -> vector<4xi32>
  // CHECK-NEXT: %b = ocl.load_matrix %tile[%i] transposed : !ocl.ptr<f16, local> -> vector<2xi32>
  %b = ocl.load_matrix %tile[%i] transposed : !ocl.ptr<f16, local> -> vector<2xi32>
  // CHECK-NEXT: %{{.*}} = ocl.mma %a, %b, %c, %c, %c, %c : vector<4xi32>, vector<2xi32>, f32, f32, f32, f32 -> f32, f32, f32, f32
  %d:4 = ocl.mma %a, %b, %c, %c, %c, %c : vector<4xi32>, vector<2xi32>, f32, f32, f32, f32 -> f32, f32, f32, f32
  func.return %d#0 : f32
}
