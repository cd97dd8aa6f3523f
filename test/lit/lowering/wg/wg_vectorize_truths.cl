// RUN: ocl-opt %s -p "ocl-set-local-size{size=16,1,1},ocl-to-wg,ocl-expand-builtins,wg-vectorize" | filecheck %s

// The truth values of vectors are parted as bytes: LLVM would part bits one by one.

// CHECK:      vec.cmpf oeq, {{.*}} : vector<64xf32>
// CHECK:      vec.extsi {{.*}} : vector<64xi1> to vector<64xi8>
// CHECK-NOT:  : vector<64xi1>, vector<64xi1>
// CHECK:      wg.return
kernel void same(global const float4 *x, global const float4 *y, global int *o) {
  int i = get_global_id(0);
  o[i] = all(x[i] == y[i]);
}
