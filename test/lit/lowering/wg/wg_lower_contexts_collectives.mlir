// RUN: ocl-opt %s -p wg-lower-contexts | filecheck %s

// The rows of a context array are vectors: halves are combined, then quarters, and so on. In
// groups of 20, the second row has 4 work-items; the other lanes have the identity.

wg.func @sums(%x: !ocl.ptr<f32, global> {ocl.name = "x"}) attributes {local_size = array<i64: 20, 1, 1>} {
  %v = wg.context : !wg.context<f32>
  %sums = wg.context : !wg.context<f32>
  wg.reduce_rows add 16 %v to %sums : !wg.context<f32>
  wg.return
}

// CHECK-LABEL: wg.func @sums
// CHECK:         %2 = wg.load %v[%c0] : !ocl.ptr<f32, private> -> vector<16xf32>
// CHECK-NEXT:    %3 = vector.shuffle %2, %2 [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7] : vector<16xf32>, vector<16xf32>
// CHECK-NEXT:    %4 = arith.addf %2, %3 {ocl.no_contract} : vector<16xf32>
// CHECK-NEXT:    %5 = vector.shuffle %4, %4 [4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11] : vector<16xf32>, vector<16xf32>
// CHECK:         wg.store %10, %sums[%c0] : vector<16xf32>, !ocl.ptr<f32, private>
// CHECK:         %12 = wg.load %v[%c16] mask %11 : vector<16xi1> : !ocl.ptr<f32, private> -> vector<16xf32>
// CHECK-NEXT:    %13 = arith.constant dense<-0.000000e+00> : vector<16xf32>
// CHECK-NEXT:    %14 = vec.select %11, %12, %13 : vector<16xi1>, vector<16xf32>
// CHECK:         wg.store %22, %sums[%c16] mask %23 : vector<16xi1> : vector<16xf32>, !ocl.ptr<f32, private>


// A scan of the group: elements at the distances 1, 2, 4, 8; then the sum of the rows before. With
// `active`, the other work-items have the identity.

wg.func @before(%x: !ocl.ptr<i32, global> {ocl.name = "x"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %v = wg.context : !wg.context<i32>
  %sums = wg.context : !wg.context<i32>
  %active = wg.context : !wg.context<i1>
  wg.scan whole exclusive add 16 %v to %sums active %active : !wg.context<i32>
  wg.return
}

// CHECK-LABEL: wg.func @before
// CHECK:         scf.for [[AT:%[0-9]+]] = %c0 to %c64 step %c16 iter_args([[SUM:%[0-9]+]] = {{%[0-9]+}}) -> (i32) {
// CHECK-NEXT:      [[ROW:%[0-9]+]] = wg.load %v[[[AT]]] : !ocl.ptr<i32, private> -> vector<16xi32>
// CHECK-NEXT:      [[FLAGS:%[0-9]+]] = wg.load %active[[[AT]]] : !ocl.ptr<i8, private> -> vector<16xi8>
// CHECK:           [[ON:%[0-9]+]] = vec.cmpi ne, [[FLAGS]], {{%[0-9]+}} : vector<16xi8>
// CHECK:           {{%[0-9]+}} = vec.select [[ON]], [[ROW]], {{%[0-9]+}} : vector<16xi1>, vector<16xi32>
// CHECK:           vector.shuffle {{%[0-9]+}}, {{%[0-9]+}} [16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14] : vector<16xi32>, vector<16xi32>
// CHECK:           vector.shuffle {{%[0-9]+}}, {{%[0-9]+}} [16, 17, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] : vector<16xi32>, vector<16xi32>
// CHECK:           wg.store {{%[0-9]+}}, %sums[[[AT]]] : vector<16xi32>, !ocl.ptr<i32, private>
// CHECK-NEXT:      scf.yield {{%[0-9]+}} : i32
