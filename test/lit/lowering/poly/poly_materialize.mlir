// RUN: ocl-opt %s -p poly-materialize | filecheck %s
// RUN: ocl-opt %s -p "poly-materialize{whole-groups=true}" | filecheck %s --check-prefix WHOLE

// x[i] = x[max(i, 5)] for a group of L0 work-items: the first tile is not consecutive, the others
// are, and what is left of the last one is scalar. Each codelet is in loops over its tiles or
// work-items; its operand is the id of the first lane. How many full tiles there are is computed
// once.
// CHECK-LABEL: wg.func @foo
// CHECK-NEXT:    %L0 = ocl.local_size 0 : index
// CHECK-NEXT:    %[[THREE:.*]] = arith.constant 3 : index
// CHECK-NEXT:    %[[TILES:.*]] = arith.shrsi %L0, %[[THREE]] : index
// CHECK-NEXT:    %[[ONE:.*]] = arith.constant 1 : index
// CHECK-NEXT:    %[[EIGHT:.*]] = arith.constant 8 : index
// CHECK-NEXT:    scf.for %t = %[[ONE]] to %[[TILES]] step %[[ONE]] {
// CHECK-NEXT:      %[[FIRST:.*]] = arith.muli %t, %[[EIGHT]] : index
// CHECK-NEXT:      poly.codelet(%[[FIRST]]) lanes 8 along 0 class {{.*}} domain #poly.set<"[L0] -> { interior[t] : t > 0 and 8t <= -8 + L0 }"> {
// A tile that there is or is not: no loop.
// CHECK:         %[[IS:.*]] = arith.cmpi sge, %L0, %[[EIGHT]] : index
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0 : index
// CHECK:         scf.if %[[IS]] {
// CHECK-NEXT:      poly.codelet(%[[ZERO]]) lanes 8 {{.*}} { border[t = 0] :
// CHECK:         %[[REST:.*]] = arith.andi %L0, %{{.*}} : index
// CHECK-NEXT:    %[[FULL:.*]] = arith.subi %L0, %[[REST]] : index
// CHECK-NEXT:    scf.for %x{{.*}} = %[[FULL]] to %L0 step %[[ONE]] {
// CHECK-NEXT:      poly.codelet(%x{{.*}}) lanes 1
// CHECK-NOT:     poly.kernel

// The first tile is in every group, so no group is the interior's alone.
// WHOLE-LABEL: wg.func @foo
// WHOLE-COUNT-3: poly.codelet
// WHOLE-LABEL: wg.func @stencil
wg.func @foo(%p: !ocl.ptr<f32, global> {ocl.name = "p"}) {
  %L0 = ocl.local_size 0 : index
  poly.kernel @foo(%L0) params ["L0"] work_items ["x"] context #poly.set<"[L0] -> { : L0 > 0 }"> {
  ^bb0(%x: index):
    poly.subkernel @foo_x along 0 width 8 domain #poly.set<"[L0] -> { R[x] : 0 <= x < L0 }"> {
      poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"[L0] -> { interior[t] : t > 0 and 8t + 7 < L0 }"> {
      ^bb1(%x1: index):
        %c5 = arith.constant 5 : index
        %i = arith.maxsi %x1, %c5 : index
        %v = ocl.load %p[%i] : !ocl.ptr<f32, global>
        ocl.store %v, %p[%x1] : !ocl.ptr<f32, global>
      }
      poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = div, ctl = uniform> domain #poly.set<"[L0] -> { border[t] : t = 0 and L0 > 7 }"> {
      ^bb1(%x1: index):
        %c5 = arith.constant 5 : index
        %i = arith.maxsi %x1, %c5 : index
        %v = ocl.load %p[%i] : !ocl.ptr<f32, global>
        ocl.store %v, %p[%x1] : !ocl.ptr<f32, global>
      }
      poly.codelet lanes 1 along 0 class #poly.class<tile = partial, mem = div, ctl = mixed> domain #poly.set<"[L0] -> { partial[x] : 8*floor(L0/8) <= x < L0 }"> {
      ^bb1(%x1: index):
        %c5 = arith.constant 5 : index
        %i = arith.maxsi %x1, %c5 : index
        %v = ocl.load %p[%i] : !ocl.ptr<f32, global>
        ocl.store %v, %p[%x1] : !ocl.ptr<f32, global>
      }
    }
  }
  wg.return
}

// A local size that is a number: the codelet that no work-item has is gone. The border is two sets
// of tiles, and is not there twice for that: a branch in its loop says which tiles are meant, and
// one around it whether there may be any.
// CHECK-LABEL: wg.func @stencil
// CHECK:         scf.for %t = %[[FROM:.*]] to %[[TO:.*]] step
// CHECK:           poly.codelet({{.*}}) lanes 8 {{.*}} { interior[t] :
// CHECK:         scf.if %{{.*}} {
// CHECK-NEXT:      scf.for %t_1 = {{.*}} {
// CHECK:             %[[AT:.*]] = arith.ori
// CHECK:             scf.if %[[AT]] {
// CHECK-NEXT:          poly.codelet({{.*}}) lanes 8 {{.*}} { border[t] :
// CHECK-NOT:       poly.codelet
// CHECK:         wg.return

// A group inside of the row has no border: one loop of 8 tiles.
// WHOLE:         scf.if %{{.*}} {
// WHOLE-NEXT:      scf.for %t = %[[C0:.*]] to %[[C8:.*]] step %[[C1:.*]] {
// WHOLE:             poly.codelet({{.*}}) lanes 8 {{.*}} { interior[t] :
// WHOLE:         } else {
// WHOLE:             poly.codelet({{.*}}) lanes 8 {{.*}} { interior[t] :
// WHOLE:             poly.codelet({{.*}}) lanes 8 {{.*}} { border[t] :
// WHOLE-LABEL: wg.func @choice
wg.func @stencil(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %n: i32 {ocl.name = "n"}) {
  %L0 = arith.constant 64 : index
  %group = ocl.group_id 0 : index
  %G0 = arith.muli %group, %L0 : index
  %width = arith.index_cast %n : i32 to index
  poly.kernel @stencil(%L0, %G0, %width) params ["L0", "G0", "n"] work_items ["x"] context #poly.set<"[G0, n] -> { : G0 >= 0 and G0 + 64 <= n }"> {
  ^bb0(%x: index):
    poly.subkernel @stencil_x along 0 width 8 domain #poly.set<"{ R[x] : 0 <= x < 64 }"> {
      poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"[G0, n] -> { interior[t] : 0 <= t < 8 and 1 - G0 <= 8t < n - G0 - 8 }"> {
      ^bb1(%x1: index):
      }
      poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = div, ctl = mixed> domain #poly.set<"[G0, n] -> { border[t] : 0 <= t < 8 and (8t < 1 - G0 or 8t >= n - G0 - 8) }"> {
      ^bb1(%x1: index):
      }
      poly.codelet lanes 1 along 0 class #poly.class<tile = partial, mem = div, ctl = mixed> domain #poly.set<"[G0] -> { partial[x] : 0 <= x < 64 and G0 < 0 }"> {
      ^bb1(%x1: index):
      }
    }
  }
  wg.return
}

// The subkernel with the best score runs; one whose dimension has no full tile counts 0, the
// scalar one 1. L0 is a multiple of 8.
// CHECK-LABEL: wg.func @choice
// CHECK-DAG:     %[[HIGH:.*]] = arith.cmpi sge, %L1, %{{.*}} : index
// CHECK-DAG:     %[[SY:.*]] = arith.select %[[HIGH]], %{{.*}}, %{{.*}} : index
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[OTHERS:.*]] = arith.maxsi %[[SY]], %[[C1]] : index
// CHECK:         %[[X:.*]] = arith.cmpi sge, %{{.*}}, %[[OTHERS]] : index
// CHECK:         scf.if %[[X]] {
// CHECK:           poly.codelet({{.*}}) lanes 8 along 0
// CHECK:         } else {
// CHECK:           scf.if %{{.*}} {
// CHECK:             poly.codelet({{.*}}) lanes 8 along 1
// CHECK:           } else {
// CHECK:             poly.codelet({{.*}}) lanes 1
wg.func @choice(%n: i32 {ocl.name = "n"}) {
  %L0 = ocl.local_size 0 : index
  %L1 = ocl.local_size 1 : index
  %i = arith.index_cast %n : i32 to index
  poly.kernel @choice(%L0, %L1, %i) params ["L0", "L1", "n"] work_items ["y", "x"] context #poly.set<"[L0, L1] -> { : L0 > 0 and L1 > 0 and L0 mod 8 = 0 }"> {
  ^bb0(%y: index, %x: index):
    poly.subkernel @choice_x along 0 width 8 score #poly.score<"4*[L0]*[min(L1, n)]"> domain #poly.set<"[L0, L1] -> { R[y, x] : 0 <= x < L0 and 0 <= y < L1 }"> {
      poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"[L0, L1] -> { interior[y, t] : 0 <= t and 8t < L0 and 0 <= y < L1 }"> {
      ^bb1(%y1: index, %x1: index):
      }
    }
    poly.subkernel @choice_y along 1 width 8 score #poly.score<"2*[L0]*[L1]"> domain #poly.set<"[L0, L1] -> { R[y, x] : 0 <= x < L0 and 0 <= y < L1 }"> {
      poly.codelet lanes 8 along 1 class #poly.class<tile = full, mem = div, ctl = uniform> domain #poly.set<"[L0, L1] -> { interior[t, x] : 0 <= t and 8t + 7 < L1 and 0 <= x < L0 }"> {
      ^bb1(%y1: index, %x1: index):
      }
      poly.codelet lanes 1 along 1 class #poly.class<tile = partial, mem = div, ctl = uniform> domain #poly.set<"[L0, L1] -> { partial[y, x] : 8*floor(L1/8) <= y < L1 and 0 <= x < L0 }"> {
      ^bb1(%y1: index, %x1: index):
      }
    }
    poly.subkernel @choice_scalar along 0 width 1 domain #poly.set<"[L0, L1] -> { R[y, x] : 0 <= x < L0 and 0 <= y < L1 }"> {
      poly.codelet lanes 1 along 0 class #poly.class<tile = partial, mem = div, ctl = mixed> domain #poly.set<"[L0, L1] -> { scalar[y, x] : 0 <= x < L0 and 0 <= y < L1 }"> {
      ^bb1(%y1: index, %x1: index):
      }
    }
    poly.dispatch [@choice_x, @choice_y, @choice_scalar]
  }
  wg.return
}

// Without a dispatch it is the first that has a full tile. That 64 are enough for one is known.
// CHECK-LABEL: wg.func @first
// CHECK-NOT:     scf.if
// CHECK:         scf.for
// CHECK:           poly.codelet({{.*}}) lanes 8
// CHECK-NOT:     poly.codelet
// CHECK:         wg.return
wg.func @first() {
  %L0 = arith.constant 64 : index
  poly.kernel @first(%L0) params ["L0"] work_items ["x"] context #poly.set<"{ : }"> {
  ^bb0(%x: index):
    poly.subkernel @first_scalar along 0 width 1 domain #poly.set<"{ R[x] : 0 <= x < 64 }"> {
      poly.codelet lanes 1 along 0 class #poly.class<tile = partial, mem = div, ctl = mixed> domain #poly.set<"{ scalar[x] : 0 <= x < 64 }"> {
      ^bb1(%x1: index):
      }
    }
    poly.subkernel @first_x along 0 width 8 domain #poly.set<"{ R[x] : 0 <= x < 64 }"> {
      poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"{ interior[t] : 0 <= t < 8 }"> {
      ^bb1(%x1: index):
      }
    }
  }
  wg.return
}

// A kernel that is not split runs its work-items one by one.
// CHECK-LABEL: wg.func @unsplit
// CHECK:         scf.for %y = %{{.*}} to %L1 step
// CHECK-NEXT:      scf.for %x = %{{.*}} to %{{.*}} step
// CHECK-NEXT:        poly.codelet(%y, %x) lanes 1
// CHECK:               ocl.store %n, %p[%x{{.*}}] : !ocl.ptr<i32, global>
wg.func @unsplit(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %n: i32 {ocl.name = "n"}) {
  %c3 = arith.constant 3 : index
  %L1 = ocl.local_size 1 : index
  poly.kernel @unsplit(%c3, %L1) params ["L0", "L1"] work_items ["y", "x"] context #poly.set<"[L1] -> { : L1 > 0 }"> {
  ^bb0(%y: index, %x: index):
    poly.assume #poly.set<"[L1] -> { : L1 < 100 }">
    ocl.store %n, %p[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// Here neither the interior nor the rest are the tiles of one nest of loops; together they are all
// tiles. So they share one, and the rest is what is not the interior.
// CHECK-LABEL: wg.func @shared
// CHECK:         scf.for %t = %{{.*}} to %{{.*}} step
// CHECK:           %[[IN:.*]] = arith.ori
// CHECK:           scf.if %[[IN]] {
// CHECK-NEXT:        poly.codelet({{.*}}) lanes 8 {{.*}} { interior[t] :
// CHECK:           } else {
// CHECK-NEXT:        poly.codelet({{.*}}) lanes 8 {{.*}} { mixed[t] :
// CHECK-NOT:     scf.for
// CHECK:         wg.return
wg.func @shared(%n: i32 {ocl.name = "n"}) {
  %L0 = arith.constant 64 : index
  %i = arith.index_cast %n : i32 to index
  poly.kernel @shared(%L0, %i) params ["L0", "n"] work_items ["x"] context #poly.set<"{ : }"> {
  ^bb0(%x: index):
    poly.subkernel @shared_x along 0 width 8 domain #poly.set<"{ R[x] : 0 <= x < 64 }"> {
      poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"[n] -> { interior[t] : 0 <= t < 8 and (t < n - 3 or n <= t < n + 3) }"> {
      ^bb1(%x1: index):
      }
      poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = cons, ctl = mixed> domain #poly.set<"[n] -> { mixed[t] : 0 <= t < 8 and (n - 3 <= t < n or t >= n + 3) }"> {
      ^bb1(%x1: index):
      }
    }
  }
  wg.return
}
