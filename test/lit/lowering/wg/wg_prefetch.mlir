// RUN: ocl-opt %s -p wg-prefetch | filecheck %s
// RUN: ocl-opt %s -p wg-prefetch --remarks 2>&1 >/dev/null | filecheck %s --check-prefix REMARK

// The group reads in[512 g ...] and, 256 elements behind it, a second range, one vector of each in
// turn. The first range is read before, into memory of the group.
// CHECK-LABEL: wg.func @first_step(
// CHECK:      %[[A:.*]] = ocl.local_alloc : !ocl.ptr<!ocl.array<256 x f32>, local>
// CHECK-NEXT: %[[COPY:.*]] = ocl.cast %[[A]]
// CHECK:      %[[START:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK:      scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-NEXT:   %[[I:.*]] = arith.addi %[[START]], %[[K]] : index
// CHECK-NEXT:   %[[V:.*]] = wg.load %in[%[[I]]] {wg.in_order}
// CHECK-NEXT:   wg.store %[[V]], %[[COPY]][%[[K]]]
// CHECK-NEXT: }
// CHECK-NEXT: wg.parallel
// CHECK:        wg.load %[[COPY]][%x]
// CHECK:        wg.load %in[%j] {wg.in_order}
// REMARK: read in order: the work-items read 2 ranges in one page, one element of each in turn [wg-prefetch]
wg.func @first_step(%in: !ocl.ptr<f32, global> {ocl.name = "in"}) attributes {local_size = array<i64: 256, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %t = ocl.local_alloc : !ocl.ptr<!ocl.array<256 x f32>, local>
  %s = ocl.cast %t : !ocl.ptr<!ocl.array<256 x f32>, local> to !ocl.ptr<f32, local>
  %g = ocl.group_id 0 : index
  %start = arith.muli %g, %c512 : index
  wg.parallel (%x, %y, %z) in (%c256, %c1, %c1) step (16, 1, 1) {
    %i = arith.addi %start, %x : index
    %a = wg.load %in[%i] : !ocl.ptr<f32, global> -> vector<16xf32>
    %j = arith.addi %i, %c256 : index
    %b = wg.load %in[%j] : !ocl.ptr<f32, global> -> vector<16xf32>
    %sum = arith.addf %a, %b : vector<16xf32>
    wg.store %sum, %s[%x] : vector<16xf32>, !ocl.ptr<f32, local>
  }
  wg.return
}

// A region that writes to global memory may change what it reads: the first range is fetched
// before, line by line.
// CHECK-LABEL: wg.func @in_place(
// CHECK:      %[[START:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK:      scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-NEXT:   %[[I:.*]] = arith.addi %[[START]], %[[K]] : index
// CHECK-NEXT:   %[[P:.*]] = ocl.offset %in[%[[I]]] : !ocl.ptr<f32, global>
// CHECK-NEXT:   ocl.prefetch %[[P]][%{{.*}}] : !ocl.ptr<f32, global>
// CHECK-NEXT: }
// CHECK-NEXT: wg.parallel
// CHECK-NOT: wg.in_order
// CHECK-LABEL: wg.func @short(
// REMARK: prefetched: the work-items read 2 ranges in one page, one element of each in turn [wg-prefetch]
wg.func @in_place(%in: !ocl.ptr<f32, global> {ocl.name = "in"}) attributes {local_size = array<i64: 256, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %g = ocl.group_id 0 : index
  %start = arith.muli %g, %c512 : index
  wg.parallel (%x, %y, %z) in (%c256, %c1, %c1) step (16, 1, 1) {
    %i = arith.addi %start, %x : index
    %a = wg.load %in[%i] : !ocl.ptr<f32, global> -> vector<16xf32>
    %j = arith.addi %i, %c256 : index
    %b = wg.load %in[%j] : !ocl.ptr<f32, global> -> vector<16xf32>
    %sum = arith.addf %a, %b : vector<16xf32>
    wg.store %sum, %in[%i] : vector<16xf32>, !ocl.ptr<f32, global>
  }
  wg.return
}

// Ranges of 256 bytes are fetched, too.
// CHECK:     ocl.prefetch
// CHECK-NOT: wg.in_order
// CHECK-LABEL: wg.func @stencil(
wg.func @short(%in: !ocl.ptr<f32, global> {ocl.name = "in"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %t = ocl.local_alloc : !ocl.ptr<!ocl.array<64 x f32>, local>
  %s = ocl.cast %t : !ocl.ptr<!ocl.array<64 x f32>, local> to !ocl.ptr<f32, local>
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) step (16, 1, 1) {
    %a = wg.load %in[%x] : !ocl.ptr<f32, global> -> vector<16xf32>
    %j = arith.addi %x, %c64 : index
    %b = wg.load %in[%j] : !ocl.ptr<f32, global> -> vector<16xf32>
    %sum = arith.addf %a, %b : vector<16xf32>
    wg.store %sum, %s[%x] : vector<16xf32>, !ocl.ptr<f32, local>
  }
  wg.return
}

// Neighbours of each work-item: the ranges overlap, and are one stream as they are.
// CHECK-NOT: ocl.prefetch
// CHECK-LABEL: wg.func @far_apart(
wg.func @stencil(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 256, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  wg.parallel (%x, %y, %z) in (%c256, %c1, %c1) step (16, 1, 1) {
    %a = wg.load %in[%x] : !ocl.ptr<f32, global> -> vector<16xf32>
    %j = arith.addi %x, %c1 : index
    %b = wg.load %in[%j] : !ocl.ptr<f32, global> -> vector<16xf32>
    %sum = arith.addf %a, %b : vector<16xf32>
    wg.store %sum, %out[%x] : vector<16xf32>, !ocl.ptr<f32, global>
  }
  wg.return
}

// 4 kB apart there are two streams, which do not disturb each other.
// CHECK-NOT: ocl.prefetch
// CHECK-LABEL: wg.func @from_memory(
wg.func @far_apart(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 256, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %c1024 = arith.constant 1024 : index
  wg.parallel (%x, %y, %z) in (%c256, %c1, %c1) step (16, 1, 1) {
    %a = wg.load %in[%x] : !ocl.ptr<f32, global> -> vector<16xf32>
    %j = arith.addi %x, %c1024 : index
    %b = wg.load %in[%j] : !ocl.ptr<f32, global> -> vector<16xf32>
    %sum = arith.addf %a, %b : vector<16xf32>
    wg.store %sum, %out[%x] : vector<16xf32>, !ocl.ptr<f32, global>
  }
  wg.return
}

// Where the ranges begin is only known inside of the region.
// CHECK-NOT: ocl.prefetch
wg.func @from_memory(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %at: !ocl.ptr<i64, global> {ocl.name = "at"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 256, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  wg.parallel (%x, %y, %z) in (%c256, %c1, %c1) step (16, 1, 1) {
    %first = ocl.load %at : !ocl.ptr<i64, global>
    %start = arith.index_cast %first : i64 to index
    %i = arith.addi %start, %x : index
    %a = wg.load %in[%i] : !ocl.ptr<f32, global> -> vector<16xf32>
    %j = arith.addi %i, %c256 : index
    %b = wg.load %in[%j] : !ocl.ptr<f32, global> -> vector<16xf32>
    %sum = arith.addf %a, %b : vector<16xf32>
    wg.store %sum, %out[%x] : vector<16xf32>, !ocl.ptr<f32, global>
  }
  wg.return
}

// A grid-stride loop in which work-items run one after the other: what they read four iterations
// later is fetched, if there is such an iteration.
// CHECK-LABEL: wg.func @grid_stride(
// CHECK:      scf.for %[[K:.*]] = %{{.*}} to %last step %size {
// CHECK:        %[[FAR:.*]] = arith.muli %size, %{{.*}} : index
// CHECK-NEXT:   %[[NEXT:.*]] = arith.addi %[[K]], %[[FAR]] : index
// CHECK-NEXT:   %[[IS_ONE:.*]] = arith.cmpi slt, %[[NEXT]], %last : index
// CHECK-NEXT:   scf.if %[[IS_ONE]] {
// CHECK:          scf.for
// CHECK:            ocl.offset %in[
// CHECK-NEXT:       ocl.prefetch
// CHECK-NOT:      ocl.prefetch
// CHECK:        wg.parallel
// CHECK-NOT:  ocl.prefetch
// REMARK: prefetched: each of 1 ranges, 4 iterations of the launch before [wg-prefetch]
wg.func @grid_stride(%in: !ocl.ptr<i32, global> {ocl.name = "in"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %size = ocl.global_size 0 : index
  %last = arith.index_cast %n : i32 to index
  scf.for %k = %c0 to %last step %size {
    wg.parallel (%x, %y, %z) in (%c32, %c1, %c1) {
      %i = arith.addi %x, %k : index
      %at = ocl.load %in[%i] : !ocl.ptr<i32, global>
      %to = arith.index_cast %at : i32 to index
      ocl.store %at, %out[%to] : !ocl.ptr<i32, global>
    }
    // Vectors of neighbours go far enough ahead by themselves.
    wg.parallel (%x, %y, %z) in (%c32, %c1, %c1) step (16, 1, 1) {
      %i = arith.addi %x, %k : index
      %a = wg.load %in[%i] : !ocl.ptr<i32, global> -> vector<16xi32>
      wg.store %a, %out[%i] : vector<16xi32>, !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// A product of a sparse matrix whose elements lie column by column: each iteration goes to another page. The next vector
// reads what is next to what this one reads; rows of the vector that is gathered from are anywhere.
// CHECK-LABEL: wg.func @columns(
// CHECK:      scf.for
// CHECK:        %[[NEXT:.*]] = arith.addi %j, %{{.*}} : index
// CHECK-NEXT:   %[[P:.*]] = ocl.offset %columns[%[[NEXT]]] : !ocl.ptr<i32, global>
// CHECK-NEXT:   ocl.prefetch %[[P]][%{{.*}}] : !ocl.ptr<i32, global>
// CHECK-NEXT:   wg.load %columns
// CHECK-NOT:    ocl.prefetch
// CHECK:        wg.gather
// REMARK: prefetched: what the next vector reads [wg-prefetch]
wg.func @columns(%columns: !ocl.ptr<i32, global> {ocl.name = "columns"}, %in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %width: i32 {ocl.name = "width"}, %number: i32 {ocl.name = "number"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = arith.index_cast %width : i32 to index
  %count = arith.index_cast %number : i32 to index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) step (16, 1, 1) {
    %sum = scf.for %k = %c0 to %count step %c1 iter_args(%s = %zero) -> (vector<16xf32>) {
      %first = arith.muli %k, %n : index
      %j = arith.addi %first, %x : index
      %c = wg.load %columns[%j] : !ocl.ptr<i32, global> -> vector<16xi32>
      %i = vec.index_cast %c : vector<16xi32> to vector<16xindex>
      %v = wg.gather %in[%i] stride 4 : i64 : vector<16xindex>, !ocl.ptr<f32, global> -> vector<16xf32>
      %t = arith.addf %s, %v : vector<16xf32>
      scf.yield %t : vector<16xf32>
    }
    wg.store %sum, %out[%x] : vector<16xf32>, !ocl.ptr<f32, global>
  }
  wg.return
}

// The elements of each row are next to each other: one stream.
// CHECK-LABEL: wg.func @row(
// CHECK-NOT: ocl.prefetch
wg.func @row(%columns: !ocl.ptr<i32, global> {ocl.name = "columns"}, %in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %number: i32 {ocl.name = "number"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %count = arith.index_cast %number : i32 to index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) step (16, 1, 1) {
    %sum = scf.for %k = %c0 to %count step %c16 iter_args(%s = %zero) -> (vector<16xf32>) {
      %j = arith.addi %k, %x : index
      %c = wg.load %columns[%j] : !ocl.ptr<i32, global> -> vector<16xi32>
      %i = vec.index_cast %c : vector<16xi32> to vector<16xindex>
      %v = wg.gather %in[%i] stride 4 : i64 : vector<16xindex>, !ocl.ptr<f32, global> -> vector<16xf32>
      %t = arith.addf %s, %v : vector<16xf32>
      scf.yield %t : vector<16xf32>
    }
    wg.store %sum, %out[%x] : vector<16xf32>, !ocl.ptr<f32, global>
  }
  wg.return
}
