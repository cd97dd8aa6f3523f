// RUN: ocl-opt %s -p widen-indices | filecheck %s

// `a[y * n + k]` with ints: computed as indices. Ids and loop counters are indices already, %n is
// extended once, in front of the loop.
wg.func @signed(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %n: i32 {ocl.name = "n"}) {
  %lx = arith.constant 8 : index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  wg.parallel (%x, %y, %z) in (%lx, %lx, %one) {
    scf.for %k = %zero to %lx step %one {
      %y32 = arith.index_cast %y : index to i32
      %k32 = arith.index_cast %k : index to i32
      %row = arith.muli %y32, %n : i32
      %sum = arith.addi %row, %k32 : i32
      %i = arith.index_cast %sum : i32 to index
      ocl.store %v, %a[%i] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @signed(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %n: i32 {ocl.name = "n"}) {
// CHECK-NEXT:      %n_1 = arith.index_cast %n : i32 to index
// CHECK-NEXT:      %lx = arith.constant 8 : index
// CHECK-NEXT:      %zero = arith.constant 0 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      %v = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%lx, %lx, %one) {
// CHECK-NEXT:        scf.for %k = %zero to %lx step %one {
// CHECK-NEXT:          %row = arith.muli %y, %n_1 : index
// CHECK-NEXT:          %sum = arith.addi %row, %k : index
// CHECK-NEXT:          ocl.store %v, %a[%sum] : !ocl.ptr<f32, global>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// Unsigned arithmetic wraps at 2^32: it is extended by zeros, and stays.
wg.func @unsigned(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %n: i32 {ocl.name = "n"}) {
  %one = arith.constant 1 : i32
  %v = arith.constant 1.0 : f32
  %sum = arith.addi %n, %one : i32
  %wide = arith.extui %sum : i32 to i64
  %i = arith.index_cast %wide : i64 to index
  ocl.store %v, %a[%i] : !ocl.ptr<f32, global>
  wg.return
}

// CHECK-LABEL: wg.func @unsigned(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %n: i32 {ocl.name = "n"}) {
// CHECK-NEXT:      %one = arith.constant 1 : i32
// CHECK-NEXT:      %v = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:      %sum = arith.addi %n, %one : i32
// CHECK-NEXT:      %wide = arith.extui %sum : i32 to i64
// CHECK-NEXT:      %i = arith.index_cast %wide : i64 to index
// CHECK-NEXT:      ocl.store %v, %a[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// Where data say which element each work-item reads, a gather takes indices of 32 bits; with a
// counter of a loop, or of bytes, which have no gathers, they are widened.
// CHECK-LABEL: wg.func @gathered
// CHECK:         %i = arith.addi %k, %n : i32
// CHECK:         %j = arith.addi {{.*}} : index
// CHECK:         %wide = arith.index_cast %i : i32 to index
// CHECK:         ocl.load %p[%wide]
// CHECK:         ocl.load %b[%j]
wg.func @gathered(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %b: !ocl.ptr<i8, global> {ocl.name = "b"}, %at: !ocl.ptr<f32, global> {ocl.name = "at"}, %n: i32 {ocl.name = "n"}) {
  %one = arith.constant 1 : index
  %size = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%size, %one, %one) {
    %f = ocl.load %at[%x] : !ocl.ptr<f32, global>
    %k = arith.fptosi %f : f32 to i32
    %i = arith.addi %k, %n : i32
    %j = arith.addi %n, %k : i32
    %wide = arith.index_cast %i : i32 to index
    %wider = arith.index_cast %j : i32 to index
    %v = ocl.load %p[%wide] : !ocl.ptr<f32, global>
    %w = ocl.load %b[%wider] : !ocl.ptr<i8, global>
    ocl.store %v, %at[%x] : !ocl.ptr<f32, global>
    ocl.store %w, %b[%x] : !ocl.ptr<i8, global>
  }
  wg.return
}
