// RUN: ocl-opt %s -p wg-arrays-by-lane --split-input-file | filecheck %s

// All work-items access the same element of their private arrays at a time: element %i of the 64 work-items is 64
// numbers next to each other, which one vector reads.
wg.func @same_index(%p: !ocl.ptr<f32, global> {ocl.name = "p"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c64 = arith.constant 64 : index
  %c = wg.context : !wg.context<!ocl.array<9 x f32>>
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %slot = wg.slot %c[%x, %y, %z] : !wg.context<!ocl.array<9 x f32>> -> !ocl.ptr<!ocl.array<9 x f32>, private>
    %row = ocl.cast %slot : !ocl.ptr<!ocl.array<9 x f32>, private> to !ocl.ptr<f32, private>
    %v = ocl.load %p[%x] : !ocl.ptr<f32, global>
    scf.for %i = %c0 to %c9 step %c1 {
      ocl.store %v, %row[%i] : !ocl.ptr<f32, private>
    }
  }
  wg.return
}
// CHECK-LABEL: wg.func @same_index
// CHECK:         %{{.*}} = ocl.alloca : !ocl.ptr<!ocl.array<576 x f32>, private>
// CHECK:         wg.parallel (%x, %y, %z)
// CHECK:           [[ROW:%.*]] = ocl.offset %{{.*}}[%x] : !ocl.ptr<f32, private>
// CHECK:           scf.for %i
// CHECK-NEXT:        [[AT:%.*]] = arith.muli %i, %{{.*}} : index
// CHECK-NEXT:        ocl.store %v, [[ROW]][[[AT]]] : !ocl.ptr<f32, private>

// -----

// An index that each work-item has for itself: the array stays as it is, in few lines of the cache.
wg.func @own_index(%p: !ocl.ptr<f32, global> {ocl.name = "p"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c = wg.context : !wg.context<!ocl.array<64 x f32>>
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %slot = wg.slot %c[%x, %y, %z] : !wg.context<!ocl.array<64 x f32>> -> !ocl.ptr<!ocl.array<64 x f32>, private>
    %row = ocl.cast %slot : !ocl.ptr<!ocl.array<64 x f32>, private> to !ocl.ptr<f32, private>
    %v = ocl.load %p[%x] : !ocl.ptr<f32, global>
    ocl.store %v, %row[%x] : !ocl.ptr<f32, private>
  }
  wg.return
}
// CHECK-LABEL: wg.func @own_index
// CHECK:         wg.slot

// -----

// An index of each row of 16 work-items: they fill a line of the cache. Rows of 8 do not.
wg.func @by_row(%p: !ocl.ptr<f32, global> {ocl.name = "p"}) attributes {local_size = array<i64: 16, 4, 1>} {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c = wg.context : !wg.context<!ocl.array<4 x f32>>
  wg.parallel (%x, %y, %z) in (%c16, %c4, %c1) {
    %slot = wg.slot %c[%x, %y, %z] : !wg.context<!ocl.array<4 x f32>> -> !ocl.ptr<!ocl.array<4 x f32>, private>
    %row = ocl.cast %slot : !ocl.ptr<!ocl.array<4 x f32>, private> to !ocl.ptr<f32, private>
    %v = ocl.load %p[%x] : !ocl.ptr<f32, global>
    ocl.store %v, %row[%y] : !ocl.ptr<f32, private>
  }
  wg.return
}
// CHECK-LABEL: wg.func @by_row
// CHECK:         ocl.load
// CHECK-NEXT:    [[AT:%.*]] = arith.muli %y, %{{.*}} : index
// CHECK-NEXT:    ocl.store %v, %{{.*}}[[[AT]]] : !ocl.ptr<f32, private>

wg.func @short_rows(%p: !ocl.ptr<f32, global> {ocl.name = "p"}) attributes {local_size = array<i64: 8, 4, 1>} {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c = wg.context : !wg.context<!ocl.array<4 x f32>>
  wg.parallel (%x, %y, %z) in (%c8, %c4, %c1) {
    %slot = wg.slot %c[%x, %y, %z] : !wg.context<!ocl.array<4 x f32>> -> !ocl.ptr<!ocl.array<4 x f32>, private>
    %row = ocl.cast %slot : !ocl.ptr<!ocl.array<4 x f32>, private> to !ocl.ptr<f32, private>
    %v = ocl.load %p[%x] : !ocl.ptr<f32, global>
    ocl.store %v, %row[%y] : !ocl.ptr<f32, private>
  }
  wg.return
}
// CHECK-LABEL: wg.func @short_rows
// CHECK:         wg.slot
