// RUN: ocl-opt %s -p wg-join-elements | filecheck %s
// RUN: ocl-opt %s -p "wg-join-elements{processor=emeraldrapids}" | filecheck %s --check-prefix=WORDS
// RUN: ocl-opt %s -p "wg-join-elements{distinct=true}" | filecheck %s --check-prefix=DISTINCT
// RUN: ocl-opt %s -p "wg-join-elements{small_buffers=true}" | filecheck %s --check-prefix=SMALL
// RUN: ocl-opt %s -p wg-join-elements --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Each work-item reads the two numbers of a record that is anywhere, and writes two in another order.
// REMARK: wg_join_elements.mlir:[[# @LINE + 10]]:5: remark: with its neighbours at once [wg-join-elements]
// REMARK: wg_join_elements.mlir:[[# @LINE + 14]]:5: remark: with its neighbours at once [wg-join-elements]
wg.func @pairs(%a: !ocl.ptr<f64, global> {ocl.name = "a"}, %at: !ocl.ptr<i64, global> {ocl.name = "at"}, %out: !ocl.ptr<f64, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %row = arith.constant 11 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %n = ocl.load %at[%x] : !ocl.ptr<i64, global>
    %i = arith.index_cast %n : i64 to index
    %j = arith.addi %i, %one : index
    %second = ocl.load %a[%j] : !ocl.ptr<f64, global>
    %first = ocl.load %a[%i] : !ocl.ptr<f64, global>
    %s = math.sin %first : f64
    %c = math.sin %second : f64
    %p = arith.muli %x, %row : index
    ocl.store %s, %out[%p] : !ocl.ptr<f64, global>
    %q = arith.addi %p, %one : index
    ocl.store %c, %out[%q] : !ocl.ptr<f64, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @pairs
// CHECK:         [[BEFORE:%.*]] = arith.addi %j, {{%.*}} : index
// CHECK-NEXT:    [[START:%.*]] = ocl.offset %a{{\[}}[[BEFORE]]] : !ocl.ptr<f64, global>
// CHECK:         [[BOTH:%.*]] = ocl.vload [[START]]{{.*}} -> vector<2xf64>
// CHECK-NEXT:    [[FIRST:%.*]] = vector.extract [[BOTH]][0] : f64 from vector<2xf64>
// CHECK-NEXT:    [[SECOND:%.*]] = vector.extract [[BOTH]][1] : f64 from vector<2xf64>
// CHECK-NEXT:    %s = math.sin [[FIRST]] : f64
// CHECK-NEXT:    %c = math.sin [[SECOND]] : f64
// CHECK-NOT:     ocl.store
// CHECK:         [[ROW:%.*]] = vector.insert %c, {{.*}} [1] : f64 into vector<2xf64>
// CHECK:         ocl.vstore [[ROW]], {{.*}} : vector<2xf64>, !ocl.ptr<f64, global>

// What is between the two loads may write the second.
wg.func @written(%a: !ocl.ptr<f64, global> {ocl.name = "a"}, %at: !ocl.ptr<i64, global> {ocl.name = "at"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %n = ocl.load %at[%x] : !ocl.ptr<i64, global>
    %i = arith.index_cast %n : i64 to index
    %j = arith.addi %i, %one : index
    %first = ocl.load %a[%i] : !ocl.ptr<f64, global>
    ocl.store %first, %a[%x] : !ocl.ptr<f64, global>
    %second = ocl.load %a[%j] : !ocl.ptr<f64, global>
    ocl.store %second, %a[%x] : !ocl.ptr<f64, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @written
// CHECK-NOT:     ocl.vload
// CHECK:         wg.return

// Each work-item copies a row of four, in another order. Where the buffers may overlap, a number may
// be read that was written before.
wg.func @copied(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %lx = arith.constant 64 : index
  %row = arith.constant 20 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %i = arith.muli %x, %row : index
    %p = ocl.offset %a[%i] : !ocl.ptr<f32, global>
    %q = ocl.offset %out[%i] : !ocl.ptr<f32, global>
    %v2 = ocl.load %p[%two] : !ocl.ptr<f32, global>
    ocl.store %v2, %q : !ocl.ptr<f32, global>
    %v0 = ocl.load %p : !ocl.ptr<f32, global>
    ocl.store %v0, %q[%two] : !ocl.ptr<f32, global>
    %v3 = ocl.load %p[%three] : !ocl.ptr<f32, global>
    ocl.store %v3, %q[%one] : !ocl.ptr<f32, global>
    %v1 = ocl.load %p[%one] : !ocl.ptr<f32, global>
    ocl.store %v1, %q[%three] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @copied
// CHECK-NOT:     ocl.vload
// CHECK-NOT:     ocl.vstore
// CHECK:         wg.return

// DISTINCT-LABEL: wg.func @copied
// DISTINCT:         ocl.vload {{.*}} -> vector<4xf32>
// DISTINCT-NOT:     ocl.load
// DISTINCT-NOT:     ocl.store
// DISTINCT:         ocl.vstore {{.*}} : vector<4xf32>
// DISTINCT:         wg.return

// Columns of two rows of four: each row is written when all its numbers are known.
wg.func @columns(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %lx = arith.constant 64 : index
  %row = arith.constant 20 : index
  wg.parallel (%x, %y, %z) in (%lx, %c1, %c1) {
    %i = arith.muli %x, %row : index
    %n = arith.index_cast %x : index to i32
    %q = ocl.offset %out[%i] : !ocl.ptr<i32, global>
    ocl.store %n, %q[%c0] : !ocl.ptr<i32, global>
    ocl.store %n, %q[%c4] : !ocl.ptr<i32, global>
    ocl.store %n, %q[%c1] : !ocl.ptr<i32, global>
    ocl.store %n, %q[%c5] : !ocl.ptr<i32, global>
    ocl.store %n, %q[%c2] : !ocl.ptr<i32, global>
    ocl.store %n, %q[%c6] : !ocl.ptr<i32, global>
    ocl.store %n, %q[%c3] : !ocl.ptr<i32, global>
    ocl.store %n, %q[%c7] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @columns
// CHECK-NOT:     ocl.store
// CHECK:         ocl.vstore {{.*}} : vector<4xi32>
// CHECK-NOT:     ocl.store
// CHECK:         ocl.vstore {{.*}} : vector<4xi32>
// CHECK:         wg.return

// The number of the second element may be 0 after the largest one, but then the first is in no buffer of less than 2^32 bytes.
wg.func @unsigned(%a: !ocl.ptr<f64, global> {ocl.name = "a"}, %out: !ocl.ptr<f64, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %next = arith.constant 1 : i32
  %row = arith.constant 11 : i32
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %id = arith.index_cast %x : index to i32
    %n = arith.muli %id, %row : i32
    %m = arith.addi %n, %next : i32
    %n_wide = arith.extui %n : i32 to i64
    %m_wide = arith.extui %m : i32 to i64
    %i = arith.index_cast %n_wide : i64 to index
    %j = arith.index_cast %m_wide : i64 to index
    %first = ocl.load %a[%i] : !ocl.ptr<f64, global>
    %second = ocl.load %a[%j] : !ocl.ptr<f64, global>
    %s = math.sin %first : f64
    %c = math.sin %second : f64
    %sum = arith.addf %s, %c : f64
    ocl.store %sum, %out[%x] : !ocl.ptr<f64, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @unsigned
// CHECK-NOT:     ocl.vload
// CHECK:         wg.return
// SMALL-LABEL: wg.func @unsigned
// SMALL:         ocl.vload {{.*}} -> vector<2xf64>
// SMALL-NOT:     ocl.load
// SMALL:         wg.return

// Three words of a record of twelve are read at once, and two of them written, where vectors pay by their divisions.
wg.func @words(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %e: f32 {ocl.name = "e"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %lx = arith.constant 64 : index
  %row = arith.constant 12 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %i = arith.muli %x, %row : index
    %p = ocl.offset %a[%i] : !ocl.ptr<f32, global>
    %v0 = ocl.load %p : !ocl.ptr<f32, global>
    %v2 = ocl.load %p[%two] : !ocl.ptr<f32, global>
    %v1 = ocl.load %p[%one] : !ocl.ptr<f32, global>
    %s0 = arith.divf %e, %v0 : f32
    %s1 = arith.divf %e, %s0 : f32
    %s2 = arith.divf %e, %s1 : f32
    %s3 = arith.divf %e, %s2 : f32
    %s4 = arith.divf %e, %s3 : f32
    %s5 = arith.divf %e, %s4 : f32
    %t0 = arith.divf %e, %v1 : f32
    %t1 = arith.divf %e, %t0 : f32
    %t2 = arith.divf %e, %t1 : f32
    %t3 = arith.divf %e, %t2 : f32
    %t4 = arith.divf %e, %t3 : f32
    %t5 = arith.divf %e, %t4 : f32
    %u = arith.addf %t5, %v2 : f32
    ocl.store %s5, %p[%two] : !ocl.ptr<f32, global>
    ocl.store %u, %p[%one] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @words
// CHECK:         ocl.vload {{.*}} -> vector<3xf32>
// CHECK-NOT:     ocl.load
// CHECK-NOT:     ocl.store
// CHECK:         ocl.vstore {{.*}} : vector<2xf32>
// CHECK-NOT:     ocl.store
// CHECK:         wg.return

// Two neighbours that are anywhere are read at once; three are left to LLVM.
wg.func @anywhere(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %at: !ocl.ptr<i64, global> {ocl.name = "at"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %e: f32 {ocl.name = "e"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %lx = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %n = ocl.load %at[%x] : !ocl.ptr<i64, global>
    %i = arith.index_cast %n : i64 to index
    %p = ocl.offset %a[%i] : !ocl.ptr<f32, global>
    %v0 = ocl.load %p : !ocl.ptr<f32, global>
    %v1 = ocl.load %p[%one] : !ocl.ptr<f32, global>
    %q = ocl.offset %b[%i] : !ocl.ptr<f32, global>
    %w0 = ocl.load %q : !ocl.ptr<f32, global>
    %w1 = ocl.load %q[%one] : !ocl.ptr<f32, global>
    %w2 = ocl.load %q[%two] : !ocl.ptr<f32, global>
    %p0 = arith.mulf %v0, %w0 : f32
    %p1 = arith.mulf %v1, %w1 : f32
    %p2 = arith.mulf %p1, %w2 : f32
    %w = arith.addf %p0, %p2 : f32
    %s0 = arith.divf %e, %w : f32
    %s1 = arith.divf %e, %s0 : f32
    %s2 = arith.divf %e, %s1 : f32
    %s3 = arith.divf %e, %s2 : f32
    %s4 = arith.divf %e, %s3 : f32
    %s5 = arith.divf %e, %s4 : f32
    %s6 = arith.divf %e, %s5 : f32
    %s7 = arith.divf %e, %s6 : f32
    %s8 = arith.divf %e, %s7 : f32
    %s9 = arith.divf %e, %s8 : f32
    %s10 = arith.divf %e, %s9 : f32
    %s11 = arith.divf %e, %s10 : f32
    %s12 = arith.divf %e, %s11 : f32
    %s13 = arith.divf %e, %s12 : f32
    %s14 = arith.divf %e, %s13 : f32
    %s15 = arith.divf %e, %s14 : f32
    ocl.store %s15, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL:   wg.func @anywhere
// CHECK:         ocl.vload {{.*}} -> vector<2xf32>
// CHECK-COUNT-3: ocl.load %q
// CHECK-NOT:     ocl.vload
// CHECK:         wg.return

// Two bytes may lie in two words. They are joined where a processor gathers byte by byte, not where
// it gathers words.
wg.func @bytes(%a: !ocl.ptr<i8, global> {ocl.name = "a"}, %at: !ocl.ptr<i64, global> {ocl.name = "at"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}, %e: f32 {ocl.name = "e"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %n = ocl.load %at[%x] : !ocl.ptr<i64, global>
    %i = arith.index_cast %n : i64 to index
    %p = ocl.offset %a[%i] : !ocl.ptr<i8, global>
    %v0 = ocl.load %p : !ocl.ptr<i8, global>
    %v1 = ocl.load %p[%one] : !ocl.ptr<i8, global>
    %f0 = arith.uitofp %v0 : i8 to f32
    %f1 = arith.uitofp %v1 : i8 to f32
    %w = arith.mulf %f0, %f1 : f32
    %s0 = arith.divf %e, %w : f32
    %s1 = arith.divf %e, %s0 : f32
    %s2 = arith.divf %e, %s1 : f32
    %s3 = arith.divf %e, %s2 : f32
    %s4 = arith.divf %e, %s3 : f32
    %s5 = arith.divf %e, %s4 : f32
    %s6 = arith.divf %e, %s5 : f32
    %s7 = arith.divf %e, %s6 : f32
    ocl.store %s7, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL:   wg.func @bytes
// CHECK:         ocl.vload {{.*}} -> vector<2xi8>
// WORDS-LABEL:   wg.func @bytes
// WORDS-NOT:     ocl.vload
// WORDS:         wg.return
