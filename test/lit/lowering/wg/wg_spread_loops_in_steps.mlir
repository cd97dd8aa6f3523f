// RUN: ocl-opt %s -p "wg-spread-loops{distinct=true},wg-split-ids" | filecheck %s

// 256 work-items fill a tile of 18 x 18: there are 324, in rows of 18.
wg.func @tile(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %width: i64 {ocl.name = "width"}) attributes {reqd_work_group_size = array<i64: 16, 16, 1>, local_size = array<i64: 16, 16, 1>} {
  %w = arith.index_cast %width : i64 to index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c18 = arith.constant 18 : index
  %c256 = arith.constant 256 : index
  %c324 = arith.constant 324 : index
  %tile = ocl.local_alloc : !ocl.ptr<!ocl.array<324 x f32>, local>
  %t = ocl.cast %tile : !ocl.ptr<!ocl.array<324 x f32>, local> to !ocl.ptr<f32, local>
  wg.parallel (%x, %y, %z) in (%c16, %c16, %c1) {
    %part = arith.muli %y, %c16 : index
    %flat = arith.addi %part, %x : index
    scf.for %k = %flat to %c324 step %c256 {
      %row = arith.divui %k, %c18 : index
      %column = arith.remui %k, %c18 : index
      %start = arith.muli %row, %w : index
      %from = arith.addi %start, %column : index
      %v = ocl.load %in[%from] : !ocl.ptr<f32, global>
      ocl.store %v, %t[%k] : !ocl.ptr<f32, local>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @tile
// CHECK:         arith.constant 324 : index
// CHECK:         %[[WIDTH:.*]] = arith.constant 18 : index
// CHECK-NEXT:    %[[HEIGHT:.*]] = arith.constant 18 : index
// CHECK-NEXT:    wg.parallel (%x, %y, %z) in (%[[WIDTH]], %[[HEIGHT]], %{{.*}}) {
// CHECK-NOT:       scf.for
// CHECK-NOT:       arith.divui
// CHECK:           %[[START:.*]] = arith.muli %y, %w : index
// CHECK:           %[[FROM:.*]] = arith.addi %[[START]], %x : index
// CHECK:           ocl.load %in[%[[FROM]]]
// CHECK:         wg.return

// Rows of 9 elements are shorter than what is written to each: iterations may write the same one.
wg.func @short(%out: !ocl.ptr<f32, global> {ocl.name = "out"}, %v: f32 {ocl.name = "v"}) attributes {reqd_work_group_size = array<i64: 64, 1, 1>, local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c18 = arith.constant 18 : index
  %c64 = arith.constant 64 : index
  %c324 = arith.constant 324 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    scf.for %k = %x to %c324 step %c64 {
      %row = arith.divui %k, %c18 : index
      %column = arith.remui %k, %c18 : index
      %start = arith.muli %row, %c9 : index
      %place = arith.addi %start, %column : index
      ocl.store %v, %out[%place] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @short
// CHECK:         wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
// CHECK-NEXT:      scf.for %k = %x to %c324 step %c64 {

// An iteration reads what an earlier one of the same work-item has written.
wg.func @reads(%out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {reqd_work_group_size = array<i64: 64, 1, 1>, local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c18 = arith.constant 18 : index
  %c64 = arith.constant 64 : index
  %c324 = arith.constant 324 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    scf.for %k = %x to %c324 step %c64 {
      %row = arith.divui %k, %c18 : index
      %v = ocl.load %out[%row] : !ocl.ptr<f32, global>
      ocl.store %v, %out[%k] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @reads
// CHECK:           scf.for %k = %x to %c324 step %c64 {
