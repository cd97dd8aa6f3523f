// RUN: ocl-opt %s -p wg-vectorize{width=16} | filecheck %s

// Tiles are aligned. `x & -16` is the same for 16 work-items, so that they read one element.

wg.func @broadcast(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %o: !ocl.ptr<f32, global> {ocl.name = "o"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %mask = arith.constant -16 : index
    %first = arith.andi %x, %mask : index
    %v = ocl.load %p[%first] : !ocl.ptr<f32, global>
    ocl.store %v, %o[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @broadcast
// CHECK:           [[FIRST:%[0-9]+]] = arith.andi %x, {{%[0-9]+}} : index
// CHECK-NEXT:      %v = ocl.load %p[[[FIRST]]] : !ocl.ptr<f32, global>
// CHECK-NEXT:      [[V:%[0-9]+]] = vector.broadcast %v : f32 to vector<16xf32>
// CHECK-NEXT:      wg.store [[V]], %o[%x] : vector<16xf32>, !ocl.ptr<f32, global>


// Elements of the row at known places, all different, are one load and a shuffle.

wg.func @exchange(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %o: !ocl.ptr<f32, global> {ocl.name = "o"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %mask = arith.constant -16 : index
    %c15 = arith.constant 15 : index
    %c3 = arith.constant 3 : index
    %first = arith.andi %x, %mask : index
    %other = arith.xori %x, %c3 : index
    %place = arith.andi %other, %c15 : index
    %i = arith.ori %first, %place : index
    %v = ocl.load %p[%i] : !ocl.ptr<f32, global>
    ocl.store %v, %o[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @exchange
// CHECK:           [[FIRST:%[0-9]+]] = arith.andi %x, {{%[0-9]+}} : index
// CHECK:           [[ROW:%[0-9]+]] = wg.load %p[[[FIRST]]] : !ocl.ptr<f32, global> -> vector<16xf32>
// CHECK-NEXT:      %v = vector.shuffle [[ROW]], [[ROW]] [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12] : vector<16xf32>, vector<16xf32>


// Several work-items may read one place, and then others may not be read at all: a gather.

wg.func @pairs(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %o: !ocl.ptr<f32, global> {ocl.name = "o"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %mask = arith.constant -16 : index
    %c15 = arith.constant 15 : index
    %first = arith.andi %x, %mask : index
    %other = arith.ori %x, %c1 : index
    %place = arith.andi %other, %c15 : index
    %i = arith.ori %first, %place : index
    %v = ocl.load %p[%i] : !ocl.ptr<f32, global>
    ocl.store %v, %o[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @pairs
// CHECK:           wg.gather %p


// Vectors of OpenCL C that are anywhere in memory: each lane's is accessed as a whole.

wg.func @anywhere(%p: !ocl.ptr<vector<4xf32>, global> {ocl.name = "p"}, %at: !ocl.ptr<i32, global> {ocl.name = "at"}, %o: !ocl.ptr<vector<4xf32>, global> {ocl.name = "o"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %i = ocl.load %at[%x] : !ocl.ptr<i32, global>
    %j = arith.index_cast %i : i32 to index
    %v = ocl.load %p[%j] : !ocl.ptr<vector<4xf32>, global>
    ocl.store %v, %o[%x] : !ocl.ptr<vector<4xf32>, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @anywhere
// CHECK:           %v = wg.gather %{{.*}}[%{{.*}}] stride 16 : i64 : vector<16xindex>, !ocl.ptr<f32, global> -> vector<64xf32>
// CHECK:           wg.store %v, %{{.*}} : vector<64xf32>, !ocl.ptr<f32, global>
