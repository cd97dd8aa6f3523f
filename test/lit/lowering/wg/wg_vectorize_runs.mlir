// RUN: ocl-opt %s -p "wg-vectorize{width=16}" | filecheck %s
// RUN: ocl-opt %s -p "wg-vectorize{width=16 masks=false}" | filecheck %s --check-prefix AVX2

// Rows of 18 elements that are `w` apart: of 16 lanes, some are in one row, and others may be in the next
// one. In each, they are neighbours: two loads under masks, from where lane 0 would be in that row.
// CHECK-LABEL: wg.func @tile
// CHECK:         [[ROW:%.+]] = arith.divui %{{.*}}, %{{.*}} : i32
// CHECK-NEXT:    [[PHASE:%.+]] = arith.remui %{{.*}}, %{{.*}} : i32
// CHECK:         [[ALL:%.+]] = vector.broadcast [[PHASE]]
// CHECK:         [[AT:%.+]] = arith.addi [[ALL]], %{{.*}} : vector<16xi32>
// CHECK:         arith.muli [[ROW]], %w : i32
// CHECK:         [[FIRST:%.+]] = vec.cmpi ult, [[AT]], %{{.*}} : vector<16xi32>
// CHECK:         [[NEXT:%.+]] = arith.addi [[ROW]], %{{.*}} : i32
// CHECK:         arith.muli [[NEXT]], %w : i32
// CHECK:         [[OVER:%.+]] = arith.subi [[AT]], %{{.*}} : vector<16xi32>
// CHECK:         [[SECOND:%.+]] = vec.cmpi ult, [[OVER]], %{{.*}} : vector<16xi32>
// CHECK:         [[A:%.+]] = wg.load %p[%{{.*}}] mask [[FIRST]]
// CHECK-NEXT:    [[B:%.+]] = wg.load %p[%{{.*}}] mask [[SECOND]]
// CHECK-NEXT:    vec.select [[SECOND]], [[B]], [[A]]
// CHECK-NOT:     wg.gather

// AVX2-LABEL:  wg.func @tile
// AVX2:          wg.gather %p
wg.func @tile(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %q: !ocl.ptr<f32, global> {ocl.name = "q"}, %w: i32 {ocl.name = "w"}) {
  %one = arith.constant 1 : index
  %n = arith.constant 64 : index
  %length = arith.constant 18 : i32
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %id = arith.index_cast %x : index to i32
    %row = arith.divsi %id, %length : i32
    %column = arith.remsi %id, %length : i32
    %start = arith.muli %row, %w : i32
    %place = arith.addi %start, %column : i32
    %at = arith.index_cast %place : i32 to index
    %a = ocl.load %p[%at] : !ocl.ptr<f32, global>
    ocl.store %a, %q[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// Rows of 18 that lie side by side are one row.
// CHECK-LABEL: wg.func @side_by_side
// CHECK:         wg.store %{{.*}}, %start[%{{.*}}] : vector<16xf32>, !ocl.ptr<f32, local>
// CHECK-NOT:     wg.store
// AVX2-LABEL:  wg.func @side_by_side
// AVX2:          wg.store %{{.*}}, %start[%{{.*}}] : vector<16xf32>, !ocl.ptr<f32, local>
wg.func @side_by_side(%p: !ocl.ptr<!ocl.array<18 x f32>, local> {ocl.name = "p"}, %q: !ocl.ptr<f32, global> {ocl.name = "q"}) {
  %one = arith.constant 1 : index
  %n = arith.constant 64 : index
  %length = arith.constant 18 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %a = ocl.load %q[%x] : !ocl.ptr<f32, global>
    %row = arith.divui %x, %length : index
    %column = arith.remui %x, %length : index
    %at = ocl.offset %p[%row] : !ocl.ptr<!ocl.array<18 x f32>, local>
    %start = ocl.cast %at : !ocl.ptr<!ocl.array<18 x f32>, local> to !ocl.ptr<f32, local>
    ocl.store %a, %start[%column] : !ocl.ptr<f32, local>
  }
  wg.return
}

// Rows of seven, of which 16 lanes may reach four, are written by four stores; those of two are many.
// CHECK-LABEL: wg.func @rows
// CHECK-COUNT-4: wg.store %{{.*}}, %p[%{{.*}}] mask
// CHECK-NOT:     wg.store %{{.*}}, %p
// CHECK:         wg.scatter %{{.*}}, %p
wg.func @rows(%p: !ocl.ptr<f32, local> {ocl.name = "p"}, %q: !ocl.ptr<f32, global> {ocl.name = "q"}) {
  %one = arith.constant 1 : index
  %n = arith.constant 64 : index
  %seven = arith.constant 7 : index
  %nine = arith.constant 9 : index
  %two = arith.constant 2 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %a = ocl.load %q[%x] : !ocl.ptr<f32, global>
    %row = arith.divui %x, %seven : index
    %column = arith.remui %x, %seven : index
    %start = arith.muli %row, %nine : index
    %at = arith.addi %start, %column : index
    ocl.store %a, %p[%at] : !ocl.ptr<f32, local>
    %pair = arith.divui %x, %two : index
    %which = arith.remui %x, %two : index
    %first = arith.muli %pair, %nine : index
    %there = arith.addi %first, %which : index
    ocl.store %a, %p[%there] : !ocl.ptr<f32, local>
  }
  wg.return
}

// What is divided may be negative, and columns may be apart: no runs are known.
// CHECK-LABEL: wg.func @others
// CHECK:         wg.gather %p
// CHECK:         wg.gather %p
// CHECK-NOT:     mask
// CHECK:         wg.return
wg.func @others(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %q: !ocl.ptr<f32, global> {ocl.name = "q"}, %m: i32 {ocl.name = "m"}) {
  %one = arith.constant 1 : index
  %n = arith.constant 64 : index
  %two = arith.constant 2 : i32
  %length = arith.constant 18 : i32
  %gap = arith.constant 100 : i32
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %id = arith.index_cast %x : index to i32
    %i = arith.addi %id, %m : i32
    %row = arith.divsi %i, %length : i32
    %column = arith.remsi %i, %length : i32
    %start = arith.muli %row, %gap : i32
    %place = arith.addi %start, %column : i32
    %at = arith.index_cast %place : i32 to index
    %a = ocl.load %p[%at] : !ocl.ptr<f32, global>
    %this = arith.remsi %id, %length : i32
    %apart = arith.muli %this, %two : i32
    %there = arith.index_cast %apart : i32 to index
    %b = ocl.load %p[%there] : !ocl.ptr<f32, global>
    %c = arith.addf %a, %b : f32
    ocl.store %c, %q[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}
