// RUN: ocl-opt %s -p poly-extract | filecheck %s
// RUN: ocl-opt %s -p poly-extract{annotate=false} | filecheck %s --check-prefix PLAIN
// RUN: ocl-opt %s -p poly-extract --remarks 2>&1 >/dev/null | filecheck %s --check-prefix REMARK

// A filter of 2 * r + 1 places, as poly-normalize leaves it. The operands of the kernel are the
// sizes of the group and the values from which addresses and bounds are computed; a 32-bit
// argument is cast. The loads say their index: a sum of products, as `width * y` has no affine form.
wg.func @filter(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %width: i32 {ocl.name = "width"}, %r: i32 {ocl.name = "r"}) {
  %radius = arith.index_cast %r : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %lx = ocl.local_size 0 : index
  %group = ocl.group_id 0 : index
  %offset = ocl.global_offset 0 : index
  %before = arith.muli %group, %lx : index
  %first = arith.addi %before, %offset : index
  %w = arith.index_cast %width : i32 to index
  wg.parallel (%x, %y, %z) in (%lx, %c4, %c1) {
    %id = arith.addi %first, %x : index
    %from = arith.subi %id, %radius : index
    %left = arith.maxsi %from, %c0 : index
    %end = arith.addi %id, %radius : index
    %n = arith.subi %end, %left : index
    scf.for %k = %c0 to %n step %c1 {
      %i = arith.addi %left, %k : index
      %row = arith.muli %y, %w : index
      %at = arith.addi %row, %i : index
      %v = ocl.load %in[%at] : !ocl.ptr<f32, global>
      ocl.store %v, %in[%id] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @filter(
// CHECK:         poly.kernel @filter_0(%lx, %c4, %first, %{{.*}}, %{{.*}}) params ["L0", "L1", "G0", "r", "width"] work_items ["y", "x"] context #poly.set<"[G0, L0] -> { : G0 >= 0 and L0 > 0 }"> {
// CHECK-NEXT:    ^bb0(%y: index, %x: index):
// CHECK-NEXT:      %id = arith.addi %first, %x : index
// CHECK:           scf.for %k = %c0 to %n step %c1 {
// CHECK:             %v = ocl.load %in[%at] {poly.access = #poly.access<read @in, #poly.index<"[G0, r] -> { R[y, x, k] -> [(G0 - r + x + k)] : x >= -G0 + r; R[y, x, k] -> [(k)] : x < -G0 + r }", "width" * "{ R[y, x, k] -> [(y)] }">>} : !ocl.ptr<f32, global>
// CHECK-NEXT:        ocl.store %v, %in[%id] {poly.access = #poly.access<write @in, #poly.index<"[G0] -> { R[y, x, k] -> [(G0 + x)] }">>} : !ocl.ptr<f32, global>
// CHECK-NEXT:      } {poly.domain = #poly.set<"[G0, L0, r] -> { R[y, x, k] : 0 <= y <= 3 and 0 <= x < L0 and 0 <= k < 2r and k < G0 + r + x }">}

// PLAIN: ocl.load %in[%at] : !ocl.ptr<f32, global>

// What the user knows comes along; a third dimension without work-items is left out, and so are
// dimensions after it.
wg.func @known(%in: !ocl.ptr<i32, global> {ocl.name = "in"}, %n: i32 {ocl.name = "n", ocl.type = "int"}) attributes {assume = ["n >= 64"]} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %i = arith.index_cast %x : index to i32
    %more = arith.cmpi slt, %i, %n : i32
    scf.if %more {
      ocl.store %i, %in[%x] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @known(
// CHECK:         poly.kernel @known_0(%c64, %{{.*}}) params ["L0", "n"] work_items ["x"] context #poly.set<"{ : }"> {
// CHECK-NEXT:    ^bb0(%x: index):
// CHECK-NEXT:      poly.assume #poly.set<"[n] -> { : n >= 64 }">

// REMARK: poly_extract.mlir:{{.*}}: remark: not extracted: the region has results [poly-extract]
wg.func @result() {
  %c1 = arith.constant 1 : index
  %u = wg.parallel (%x, %y, %z) in (%c1, %c1, %c1) {
    %one = arith.constant 1 : i32
    wg.yield %one : i32
  } : i32
  wg.return
}

// CHECK-LABEL: wg.func @result(
// CHECK:         wg.parallel
