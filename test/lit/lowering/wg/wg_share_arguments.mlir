// RUN: ocl-opt %s -p wg-share-arguments --split-input-file | filecheck %s

// Each work-item has a copy of the argument, in the first region and in the second one, and a function that was inlined
// made another copy of it: there is one copy for the group, which the regions only read.
wg.func @read(%out: !ocl.ptr<f32, global> {ocl.name = "out"}, %matrix: !ocl.struct<"M", {m: !ocl.array<9 x f32>}> {ocl.name = "matrix"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c = wg.context : !wg.context<!ocl.struct<"M", {m: !ocl.array<9 x f32>}>>
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %slot = wg.slot %c[%x, %y, %z] : !wg.context<!ocl.struct<"M", {m: !ocl.array<9 x f32>}>> -> !ocl.ptr<!ocl.struct<"M", {m: !ocl.array<9 x f32>}>, private>
    ocl.store %matrix, %slot : !ocl.ptr<!ocl.struct<"M", {m: !ocl.array<9 x f32>}>, private>
  }
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %slot = wg.slot %c[%x, %y, %z] : !wg.context<!ocl.struct<"M", {m: !ocl.array<9 x f32>}>> -> !ocl.ptr<!ocl.struct<"M", {m: !ocl.array<9 x f32>}>, private>
    %whole = ocl.load %slot : !ocl.ptr<!ocl.struct<"M", {m: !ocl.array<9 x f32>}>, private>
    %copy = ocl.alloca : !ocl.ptr<!ocl.struct<"M", {m: !ocl.array<9 x f32>}>, private>
    ocl.store %whole, %copy : !ocl.ptr<!ocl.struct<"M", {m: !ocl.array<9 x f32>}>, private>
    %m = ocl.member %copy["m"] : !ocl.ptr<!ocl.struct<"M", {m: !ocl.array<9 x f32>}>, private> -> !ocl.ptr<!ocl.array<9 x f32>, private>
    %row = ocl.cast %m : !ocl.ptr<!ocl.array<9 x f32>, private> to !ocl.ptr<f32, private>
    %v = ocl.load %row[%c1] : !ocl.ptr<f32, private>
    ocl.store %v, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}
// CHECK-LABEL: wg.func @read
// CHECK:         [[COPY:%.*]] = ocl.alloca : !ocl.ptr<!ocl.struct<"M", {m: !ocl.array<9 x f32>}>, private>
// CHECK-NEXT:    ocl.store %matrix, [[COPY]]
// CHECK-NOT:     wg.context
// CHECK:         wg.parallel
// CHECK-NEXT:    }
// CHECK-NEXT:    wg.parallel
// CHECK-NEXT:      [[M:%.*]] = ocl.member [[COPY]]["m"]
// CHECK-NEXT:      [[ROW:%.*]] = ocl.cast [[M]]
// CHECK-NEXT:      ocl.load [[ROW]][%c1] : !ocl.ptr<f32, private>

// -----

// Each work-item changes its copy.
wg.func @written(%out: !ocl.ptr<f32, global> {ocl.name = "out"}, %matrix: !ocl.struct<"M", {m: !ocl.array<9 x f32>}> {ocl.name = "matrix"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %s = ocl.alloca : !ocl.ptr<!ocl.struct<"M", {m: !ocl.array<9 x f32>}>, private>
    ocl.store %matrix, %s : !ocl.ptr<!ocl.struct<"M", {m: !ocl.array<9 x f32>}>, private>
    %m = ocl.member %s["m"] : !ocl.ptr<!ocl.struct<"M", {m: !ocl.array<9 x f32>}>, private> -> !ocl.ptr<!ocl.array<9 x f32>, private>
    %row = ocl.cast %m : !ocl.ptr<!ocl.array<9 x f32>, private> to !ocl.ptr<f32, private>
    %v = ocl.load %out[%x] : !ocl.ptr<f32, global>
    ocl.store %v, %row[%c1] : !ocl.ptr<f32, private>
  }
  wg.return
}
// CHECK-LABEL: wg.func @written
// CHECK:         wg.parallel
// CHECK-NEXT:      %s = ocl.alloca
// CHECK-NEXT:      ocl.store %matrix, %s
