// RUN: ocl-opt %s -p 'pattern-to-ocl{aligned=true}' | filecheck %s

// Where buffers start at multiples of a vector's size, vectors are loaded as such: one access of
// 16 bytes on a GPU.

func.func @vectors(%x : !pattern.array<128, f32>) -> !pattern.array<128, f32> {
  %v = pattern.as_vector %x by 4 : !pattern.array<32, vector<4xf32>>
  %y = pattern.map_global %v as %e : vector<4xf32> {
    %s = arith.addf %e, %e : vector<4xf32>
    pattern.yield %s : vector<4xf32>
  } : !pattern.array<32, vector<4xf32>>
  %o = pattern.as_scalar %y : !pattern.array<128, f32>
  func.return %o : !pattern.array<128, f32>
}

// CHECK-LABEL: ocl.kernel @vectors_0(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {reqd_work_group_size = array<i64: 16, 1, 1>} {
// CHECK-NEXT:   %item0 = ocl.global_id 0 : index
// CHECK-NEXT:   %0 = ocl.cast %x : !ocl.ptr<f32, global> to !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:   %1 = ocl.load %0[%item0] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:   %s = arith.addf %1, %1 : vector<4xf32>
// CHECK-NEXT:   %2 = ocl.cast %out : !ocl.ptr<f32, global> to !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:   ocl.store %s, %2[%item0] : !ocl.ptr<vector<4xf32>, global>
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @vectors(%x: !pattern.array<128, f32>) -> !pattern.array<128, f32> {
// CHECK-NEXT:   %out = pattern.alloc : !pattern.array<128, f32>
// CHECK-NEXT:   pattern.launch @vectors_0 global [32] local [16] (%x, %out) : !pattern.array<128, f32>, !pattern.array<128, f32>
// CHECK-NEXT:   func.return %out : !pattern.array<128, f32>
// CHECK-NEXT: }
