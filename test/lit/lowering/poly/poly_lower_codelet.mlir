// RUN: ocl-opt %s -p poly-lower-codelet | filecheck %s
// RUN: ocl-opt %s -p "poly-lower-codelet{scalar-rest=true}" | filecheck %s --check-prefix SCALAR

// Loops around nothing but a codelet are the dimensions of one region. Its size along x is a
// multiple of the lanes, and not negative where there are no tiles; the ids start where the loops
// do. What the second loop needs is computed in front of the first one.
// CHECK-LABEL: wg.func @nest
// CHECK:         %last = arith.addi %a, %c1 : index
// CHECK-NEXT:    %[[TILES:.*]] = arith.subi %b, %a : index
// CHECK-NEXT:    %{{.*}} = arith.constant 1 : index
// CHECK-NEXT:    %[[LEFT:.*]] = arith.subi %[[TILES]], %{{.*}} : index
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[COUNT:.*]] = arith.maxsi %[[LEFT]], %[[ZERO]] : index
// CHECK-NEXT:    %[[EIGHT:.*]] = arith.constant 8 : index
// CHECK-NEXT:    %[[SIZE:.*]] = arith.muli %[[COUNT]], %[[EIGHT]] : index
// CHECK-NEXT:    %[[FIRST:.*]] = arith.muli %last, %[[EIGHT]] : index
// CHECK-NEXT:    wg.parallel (%x, %y, %z) in (%[[SIZE]], %L1, %{{.*}}) {
// CHECK-NEXT:      %x0 = arith.addi %[[FIRST]], %x : index
// CHECK-NEXT:      %v = arith.index_cast %y : index to i32
// CHECK-NEXT:      ocl.store %v, %p[%x0] : !ocl.ptr<i32, global>
// CHECK-NEXT:    } attributes {wg.lanes = array<i64: 8, 1, 1>}
wg.func @nest(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %n: i32 {ocl.name = "n"}) {
  %L1 = ocl.local_size 1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = ocl.group_id 0 : index
  %b = arith.index_cast %n : i32 to index
  scf.for %y = %c0 to %L1 step %c1 {
    %last = arith.addi %a, %c1 : index
    scf.for %t = %last to %b step %c1 {
      %x = arith.muli %t, %c8 : index
      poly.codelet(%y, %x) lanes 8 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"{ interior[y, t] }"> {
      ^bb0(%y0: index, %x0: index):
        %v = arith.index_cast %y0 : index to i32
        ocl.store %v, %p[%x0] : !ocl.ptr<i32, global>
      }
    }
  }
  wg.return
}

// Constants are constants. A codelet with one lane has the same form; whether it is vectorized is
// left to wg-vectorize, or it is not to be.
// CHECK-LABEL: wg.func @rest
// CHECK:         %[[SIZE:.*]] = arith.constant 5 : index
// CHECK:         wg.parallel (%x, %y, %z) in (%[[SIZE]], %{{.*}}, %{{.*}}) {
// CHECK-NEXT:      %x0 = arith.addi %x, %{{.*}} : index
// CHECK-NEXT:      %v = arith.index_cast %x0 : index to i32
// CHECK-NEXT:      ocl.store %v, %p : !ocl.ptr<i32, global>
// CHECK-NEXT:    }
// CHECK-NEXT:    wg.return
// SCALAR-LABEL: wg.func @rest
// SCALAR:       } attributes {wg.lanes = array<i64: 1, 1, 1>}
wg.func @rest(%p: !ocl.ptr<i32, global> {ocl.name = "p"}) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c21 = arith.constant 21 : index
  scf.for %x = %c16 to %c21 step %c1 {
    poly.codelet(%x) lanes 1 along 0 class #poly.class<tile = partial, mem = cons, ctl = uniform> domain #poly.set<"{ partial[x] }"> {
    ^bb0(%x0: index):
      %v = arith.index_cast %x0 : index to i32
      ocl.store %v, %p : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// A triangle: where the tiles start depends on the row, so the rows stay a loop.
// CHECK-LABEL: wg.func @triangle
// CHECK:         scf.for %y = %c0 to %c64 step %c1 {
// CHECK:           wg.parallel (%x, %y_1, %z) in (%{{.*}}, %{{.*}}, %{{.*}}) {
// CHECK:               %v = arith.index_cast %y : index to i32
// CHECK-NEXT:          ocl.store %v, %p[%{{.*}}] : !ocl.ptr<i32, global>
wg.func @triangle(%p: !ocl.ptr<i32, global> {ocl.name = "p"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  scf.for %y = %c0 to %c64 step %c1 {
    %first = arith.shrsi %y, %c3 : index
    scf.for %t = %first to %c8 step %c1 {
      %x = arith.muli %t, %c8 : index
      poly.codelet(%y, %x) lanes 8 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"{ interior[y, t] }"> {
      ^bb0(%y0: index, %x0: index):
        %v = arith.index_cast %y0 : index to i32
        ocl.store %v, %p[%x0] : !ocl.ptr<i32, global>
      }
    }
  }
  wg.return
}

// Lanes along y. A branch in the loop keeps it a loop, around regions of one tile.
// CHECK-LABEL: wg.func @branch
// CHECK:         scf.for %x = %c0 to %L0 step %c1 {
// CHECK-NEXT:      %odd = arith.cmpi
// CHECK-NEXT:      scf.if %odd {
// CHECK:             wg.parallel (%x_1, %y, %z) in (%{{.*}}, %{{.*}}, %{{.*}}) {
// CHECK-NEXT:          %v = arith.index_cast %y : index to i32
// CHECK-NEXT:          ocl.store %v, %p[%x] : !ocl.ptr<i32, global>
// CHECK-NEXT:        } attributes {wg.lanes = array<i64: 1, 4, 1>}
wg.func @branch(%p: !ocl.ptr<i32, global> {ocl.name = "p"}) {
  %L0 = ocl.local_size 0 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %x = %c0 to %L0 step %c1 {
    %odd = arith.cmpi ne, %x, %c1 : index
    scf.if %odd {
      poly.codelet(%c0, %x) lanes 4 along 1 class #poly.class<tile = full, mem = div, ctl = mixed> domain #poly.set<"{ border[t, x] }"> {
      ^bb0(%y0: index, %x0: index):
        %v = arith.index_cast %y0 : index to i32
        ocl.store %v, %p[%x0] : !ocl.ptr<i32, global>
      }
    }
  }
  wg.return
}
