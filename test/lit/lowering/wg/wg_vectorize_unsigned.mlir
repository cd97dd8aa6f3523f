// RUN: ocl-opt %s -p wg-vectorize --remarks 2>&1 >/dev/null | filecheck %s

// A sum of `uint` that may wrap is extended to an address. That is no number of 64 bits that is computed: there are 16 lanes,
// as there are for `int`, not eight.
// CHECK: estimated cycles of 16 work-items: {{[0-9]+}} as vectors, {{[0-9]+}} one by one [wg-vectorize]
wg.func @column(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %id = arith.index_cast %x : index to i32
    %row = arith.muli %id, %n : i32
    %wide = arith.extui %row : i32 to i64
    %at = arith.index_cast %wide : i64 to index
    %v = ocl.load %in[%at] : !ocl.ptr<f32, global>
    %id2 = arith.addi %row, %id : i32
    %wide2 = arith.extui %id2 : i32 to i64
    %at2 = arith.index_cast %wide2 : i64 to index
    %v2 = ocl.load %in[%at2] : !ocl.ptr<f32, global>
    %w = arith.addf %v, %v2 : f32
    ocl.store %w, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// A signed number is such a sum (`int at = get_global_id(0) + n`, `uint n`): in a small buffer, neighbours access neighbouring
// elements all the same. Elsewhere the sum may wrap between them.
// RUN: ocl-opt %s -p wg-vectorize{small_buffers=true} | filecheck %s --check-prefix SMALL
// RUN: ocl-opt %s -p wg-vectorize | filecheck %s --check-prefix LARGE
// SMALL-LABEL: @signed
// SMALL: arith.index_cast {{.*}} : index to i64
// SMALL: [[LOW:%.*]] = arith.trunci {{.*}} : i64 to i32
// SMALL: [[AT:%.*]] = arith.index_cast [[LOW]] : i32 to index
// SMALL: wg.load %in{{.}}[[AT]]{{.}} : !ocl.ptr<f32, global> -> vector<16xf32>
// LARGE-LABEL: @signed
// LARGE-NOT: wg.load
wg.func @signed(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %id = arith.index_cast %x : index to i32
    %sum = arith.addi %id, %n : i32
    %wide = arith.extui %sum : i32 to i64
    %signed = arith.trunci %wide : i64 to i32
    %at = arith.index_cast %signed : i32 to index
    %v = ocl.load %in[%at] : !ocl.ptr<f32, global>
    ocl.store %v, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}
