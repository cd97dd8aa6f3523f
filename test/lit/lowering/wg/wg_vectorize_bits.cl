// RUN: ocl-opt %s -p "ocl-set-local-size{size=16,1,1},ocl-to-wg,ocl-expand-builtins,wg-vectorize" | filecheck %s

// Pixels in one number: all bytes of a tile are one vector, and the swizzle is a shuffle of it.

// CHECK-LABEL: wg.func @swap
// CHECK:         [[IN:%.*]] = wg.load %{{.*}} -> vector<16xi32>
// CHECK-NEXT:    [[BYTES:%.*]] = vector.bitcast [[IN]] : vector<16xi32> to vector<64xi8>
// CHECK-NEXT:    [[MIRRORED:%.*]] = vector.shuffle [[BYTES]], [[BYTES]] [3, 2, 1, 0, 7, 6, 5, 4, {{.*}}] : vector<64xi8>, vector<64xi8>
// CHECK-NEXT:    [[OUT:%.*]] = vector.bitcast [[MIRRORED]] : vector<64xi8> to vector<16xi32>
// CHECK-NOT:     vector.extract
// CHECK:         wg.store [[OUT]]
kernel void swap(global uint *p) {
  size_t i = get_global_id(0);
  uchar4 v = as_uchar4(p[i]);
  p[i] = as_uint(v.wzyx);
}

// Components that are apart are put together, and bits that are taken apart are shuffled once for each.

// CHECK-LABEL: wg.func @parts
// CHECK-NOT:     vector.extract
// CHECK:         [[BITS:%.*]] = vector.bitcast %{{.*}} : vector<8xi32> to vector<16xi16>
// CHECK-NEXT:    vector.shuffle [[BITS]], [[BITS]] [0, 2, {{.*}}, 14] : vector<16xi16>
// CHECK-NEXT:    vector.shuffle [[BITS]], [[BITS]] [1, 3, {{.*}}, 15] : vector<16xi16>
// CHECK:         [[ROW:%.*]] = vector.shuffle {{.*}} [0, 8, 1, 9, {{.*}}]
// CHECK-NEXT:    vector.bitcast [[ROW]] : vector<16xi32> to vector<8xi64>
kernel void parts(global const int *a, global const int *b, global long *out) {
  size_t i = get_global_id(0);
  short2 x = as_short2(a[i]);
  out[i] = as_long((int2)(x.x * x.y, b[i]));
}

// A row of components that are computed apart is put together once, not by a shuffle of the row for each.

// CHECK-LABEL: wg.func @key
// CHECK:         [[SUM:%.*]] = arith.addi %{{.*}} : vector<16xi32>
// CHECK:         [[DIFFERENCE:%.*]] = arith.subi %{{.*}} : vector<16xi32>
// CHECK:         vector.shuffle [[A:%.*]], [[B:%.*]] [0, 16, 1, 17, {{.*}}] : vector<16xi32>
// CHECK-NEXT:    vector.shuffle [[SUM]], [[DIFFERENCE]] [0, 16, 1, 17, {{.*}}] : vector<16xi32>
// CHECK:         vector.shuffle [[A]], [[B]] [2, 18, 3, 19, {{.*}}] : vector<16xi32>
// CHECK:         [[KEY:%.*]] = vector.shuffle {{.*}} : vector<64xi32>
// CHECK:         [[OUT:%.*]] = arith.xori %{{.*}}, [[KEY]] : vector<64xi32>
// CHECK-NOT:     vector.shuffle
// CHECK:         wg.store [[OUT]]
kernel void key(global const int *a, global const int *b, global int4 *p) {
  size_t i = get_global_id(0);
  p[i] ^= (int4)(a[i], b[i], a[i] + b[i], a[i] - b[i]);
}
