// RUN: ocl-opt %s -p 'poly-extract,poly-split,poly-score' | filecheck %s
// RUN: ocl-opt %s -p 'poly-extract,poly-split,poly-score' --remarks 2>&1 >/dev/null | grep poly-score | filecheck %s --check-prefix=REMARK
// RUN: ocl-opt %s -p 'poly-extract,poly-split,poly-score{cons=3 uni=1 other=0 eliminate=false}' | filecheck %s --check-prefix=ALL
// RUN: ocl-opt %s -p 'poly-extract,poly-split,poly-score,poly-score' | filecheck %s
// RUN: ocl-opt %s -p 'poly-extract,poly-split{score=true}' | filecheck %s

// Neighbours along x read and write neighbouring elements, those along y do not: 4 and 4 points for
// each work-item, or none. As no access along y is worth anything, the scalar subkernel always
// counts more. The one along x stays with it: the group may have less than 8 work-items along x.
wg.func @copy(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}, %n: i64 {ocl.name = "n"}) {
  %lx = ocl.local_size 0 : index
  %ly = ocl.local_size 1 : index
  %c1 = arith.constant 1 : index
  %m = arith.index_cast %n : i64 to index
  // REMARK: poly_score.mlir:[[# @LINE + 3]]:3: remark: copy_0_x: 8*[L0]*[L1] [poly-score]
  // REMARK: poly_score.mlir:[[# @LINE + 2]]:3: remark: copy_0_y: 0, as its vectors take longer than scalar code [poly-score]
  // REMARK: poly_score.mlir:[[# @LINE + 1]]:3: remark: copy_0_y dropped: copy_0_scalar scores at least as much [poly-score]
  wg.parallel (%x, %y, %z) in (%lx, %ly, %c1) {
    %row = arith.muli %y, %m : index
    %i = arith.addi %row, %x : index
    %v = ocl.load %a[%i] : !ocl.ptr<f32, global>
    ocl.store %v, %b[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: poly.kernel @copy_0
// CHECK: poly.subkernel @copy_0_x along 0 width 8 score #poly.score<"8*[L0]*[L1]"> domain
// CHECK-NOT: poly.subkernel @copy_0_y
// CHECK: poly.subkernel @copy_0_scalar along 0 width 1 score #poly.score<"1"> domain
// CHECK: poly.dispatch [@copy_0_x, @copy_0_scalar]

// ALL-LABEL: poly.kernel @copy_0
// ALL: poly.subkernel @copy_0_x along 0 width 8 score #poly.score<"6*[L0]*[L1]"> domain
// ALL: poly.subkernel @copy_0_y along 1 width 8 score #poly.score<"0"> domain
// ALL: poly.subkernel @copy_0_scalar along 0 width 1 score #poly.score<"1"> domain
// ALL: poly.dispatch [@copy_0_x, @copy_0_y, @copy_0_scalar]

// Uniform along x and consecutive along y, or the other way round. Each work-item computes: one
// more. Both kinds of access are there twice, and the first subkernel wins where both have a tile.
// But it does not have one in each group in which the other one has.
wg.func @outer(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}) {
  %lx = ocl.local_size 0 : index
  %ly = ocl.local_size 1 : index
  %c1 = arith.constant 1 : index
  // REMARK: poly_score.mlir:[[# @LINE + 2]]:3: remark: outer_0_x: 7*[L0]*[L1] [poly-score]
  // REMARK: poly_score.mlir:[[# @LINE + 1]]:3: remark: outer_0_y: 7*[L0]*[L1] [poly-score]
  wg.parallel (%x, %y, %z) in (%lx, %ly, %c1) {
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    %w = ocl.load %a[%y] : !ocl.ptr<f32, global>
    %p = arith.mulf %v, %w : f32
    %c3 = arith.constant 3 : index
    %x3 = arith.muli %x, %c3 : index
    %y3 = arith.muli %y, %c3 : index
    %i = arith.addi %x3, %y3 : index
    ocl.store %p, %b[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: poly.kernel @outer_0
// CHECK: poly.dispatch [@outer_0_x, @outer_0_y, @outer_0_scalar]
// ALL-LABEL: poly.kernel @outer_0
// ALL: poly.subkernel @outer_0_x along 0 width 8 score #poly.score<"4*[L0]*[L1]"> domain
// ALL: poly.subkernel @outer_0_y along 1 width 8 score #poly.score<"4*[L0]*[L1]"> domain

// The same where a group has 32 x 8 work-items: the first subkernel always wins, and scores are
// numbers.
wg.func @known_size(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}) {
  %c32 = arith.constant 32 : index
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  // REMARK: poly_score.mlir:[[# @LINE + 4]]:3: remark: known_size_0_x: 1792 [poly-score]
  // REMARK: poly_score.mlir:[[# @LINE + 3]]:3: remark: known_size_0_y: 1792 [poly-score]
  // REMARK: poly_score.mlir:[[# @LINE + 2]]:3: remark: known_size_0_scalar dropped: known_size_0_x scores at least as much [poly-score]
  // REMARK: poly_score.mlir:[[# @LINE + 1]]:3: remark: known_size_0_y dropped: known_size_0_x scores at least as much [poly-score]
  wg.parallel (%x, %y, %z) in (%c32, %c8, %c1) {
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    %w = ocl.load %a[%y] : !ocl.ptr<f32, global>
    %p = arith.mulf %v, %w : f32
    %c3 = arith.constant 3 : index
    %x3 = arith.muli %x, %c3 : index
    %y3 = arith.muli %y, %c3 : index
    %i = arith.addi %x3, %y3 : index
    ocl.store %p, %b[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: poly.kernel @known_size_0
// CHECK: poly.subkernel @known_size_0_x along 0 width 8 score #poly.score<"1792"> domain
// CHECK: poly.dispatch [@known_size_0_x]
