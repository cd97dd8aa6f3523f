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

// Products of 64 rows: those of a are rows of 64 elements in memory, of b blocks of 64 columns,
// 4096 elements apart.

func.func @wide(%tile: !ocl.ptr<f16, local>, %i: index, %c: f32) -> f32 {
  // CHECK: ocl.wait_copies 1 : i64 for_products
  ocl.wait_copies 1 for_products
  // CHECK-NEXT: %{{.*}} = ocl.wgmma steps 64 pending 1 %tile[%i], %tile[%i], %c, %c, %c, %c : !ocl.ptr<f16, local>, !ocl.ptr<f16, local>, f32, f32, f32, f32 -> f32, f32, f32, f32
  %d:4 = ocl.wgmma steps 64 pending 1 %tile[%i], %tile[%i], %c, %c, %c, %c : !ocl.ptr<f16, local>, !ocl.ptr<f16, local>, f32, f32, f32, f32 -> f32, f32, f32, f32
  // CHECK-NEXT: %{{.*}} = ocl.wgmma steps 64 pending 0 %tile[%i] stride 4096, %tile[%i], {{.*}}
  %e:4 = ocl.wgmma steps 64 pending 0 %tile[%i] stride 4096, %tile[%i], %d#0, %d#1, %d#2, %d#3 : !ocl.ptr<f16, local>, !ocl.ptr<f16, local>, f32, f32, f32, f32 -> f32, f32, f32, f32
  // CHECK-NEXT: %{{.*}} = ocl.wait_products %{{.*}}, %{{.*}} : f32, f32 -> f32, f32
  %f:2 = ocl.wait_products %e#0, %e#1 : f32, f32 -> f32, f32
  func.return %f#0 : f32
}
