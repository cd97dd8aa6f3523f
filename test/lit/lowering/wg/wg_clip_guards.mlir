// RUN: ocl-opt %s -p wg-clip-guards | filecheck %s
// RUN: ocl-opt %s -p wg-clip-guards --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// A step of a reduction: the guard `lid < stride` becomes the size of the region.
// REMARK: wg_clip_guards.mlir:[[# @LINE + 5]]:3: remark: runs for the work-items below a bound along x, without a guard [wg-clip-guards]
wg.func @reduction(%t: !ocl.ptr<f32, local> {ocl.name = "t"}, %m: i64 {ocl.name = "m"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %lx = arith.constant 64 : index
  %one = arith.constant 1 : index
  %stride = arith.index_cast %m : i64 to index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %go = arith.cmpi slt, %x, %stride : index
    scf.if %go {
      %other = arith.addi %x, %stride : index
      %v = ocl.load %t[%x] : !ocl.ptr<f32, local>
      %w = ocl.load %t[%other] : !ocl.ptr<f32, local>
      %s = arith.addf %v, %w : f32
      ocl.store %s, %t[%x] : !ocl.ptr<f32, local>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @reduction(%t: !ocl.ptr<f32, local> {ocl.name = "t"}, %m: i64 {ocl.name = "m"}) attributes {local_size = array<i64: 64, 1, 1>} {
// CHECK-NEXT:      %lx = arith.constant 64 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      %stride = arith.index_cast %m : i64 to index
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %1 = arith.maxsi %stride, %0 : index
// CHECK-NEXT:      %2 = arith.minsi %1, %lx : index
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%2, %one, %one) {
// CHECK-NEXT:        %other = arith.addi %x, %stride : index
// CHECK-NEXT:        %v = ocl.load %t[%x] : !ocl.ptr<f32, local>
// CHECK-NEXT:        %w = ocl.load %t[%other] : !ocl.ptr<f32, local>
// CHECK-NEXT:        %s = arith.addf %v, %w : f32
// CHECK-NEXT:        ocl.store %s, %t[%x] : !ocl.ptr<f32, local>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// `lid == 0` leaves one work-item.
wg.func @first(%t: !ocl.ptr<f32, local> {ocl.name = "t"}, %p: !ocl.ptr<f32, global> {ocl.name = "p"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %lx = arith.constant 64 : index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %go = arith.cmpi eq, %x, %zero : index
    scf.if %go {
      %v = ocl.load %t[%x] : !ocl.ptr<f32, local>
      ocl.store %v, %p : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @first(%t: !ocl.ptr<f32, local> {ocl.name = "t"}, %p: !ocl.ptr<f32, global> {ocl.name = "p"}) attributes {local_size = array<i64: 64, 1, 1>} {
// CHECK-NEXT:      %lx = arith.constant 64 : index
// CHECK-NEXT:      %zero = arith.constant 0 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      %0 = arith.constant 1 : index
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%0, %one, %one) {
// CHECK-NEXT:        %v = ocl.load %t[%x] : !ocl.ptr<f32, local>
// CHECK-NEXT:        ocl.store %v, %p : !ocl.ptr<f32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// Of a conjunction, what is not such a comparison stays a guard.
wg.func @both(%t: !ocl.ptr<i32, local> {ocl.name = "t"}, %m: i32 {ocl.name = "m"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %lx = arith.constant 64 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %id = arith.index_cast %x : index to i32
    %below = arith.cmpi ult, %id, %m : i32
    %other = arith.cmpi ne, %id, %m : i32
    %go = arith.andi %below, %other : i1
    scf.if %go {
      ocl.store %m, %t[%x] : !ocl.ptr<i32, local>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @both(%t: !ocl.ptr<i32, local> {ocl.name = "t"}, %m: i32 {ocl.name = "m"}) attributes {local_size = array<i64: 64, 1, 1>} {
// CHECK-NEXT:      %lx = arith.constant 64 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      %0 = arith.extui %m : i32 to i64
// CHECK-NEXT:      %1 = arith.index_cast %0 : i64 to index
// CHECK-NEXT:      %2 = arith.minui %1, %lx : index
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%2, %one, %one) {
// CHECK-NEXT:        %id = arith.index_cast %x : index to i32
// CHECK-NEXT:        %other = arith.cmpi ne, %id, %m : i32
// CHECK-NEXT:        scf.if %other {
// CHECK-NEXT:          ocl.store %m, %t[%x] : !ocl.ptr<i32, local>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// Something happens outside of the guard, or the bound is not the group's: nothing changes.
wg.func @kept(%t: !ocl.ptr<i32, local> {ocl.name = "t"}, %m: i32 {ocl.name = "m"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %lx = arith.constant 64 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %id = arith.index_cast %x : index to i32
    %go = arith.cmpi slt, %id, %m : i32
    scf.if %go {
      ocl.store %m, %t[%x] : !ocl.ptr<i32, local>
    }
    ocl.store %m, %t[%lx] : !ocl.ptr<i32, local>
  }
  wg.return
}

// CHECK-LABEL: wg.func @kept(%t: !ocl.ptr<i32, local> {ocl.name = "t"}, %m: i32 {ocl.name = "m"}) attributes {local_size = array<i64: 64, 1, 1>} {
// CHECK-NEXT:      %lx = arith.constant 64 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
// CHECK-NEXT:        %id = arith.index_cast %x : index to i32
// CHECK-NEXT:        %go = arith.cmpi slt, %id, %m : i32
// CHECK-NEXT:        scf.if %go {
// CHECK-NEXT:          ocl.store %m, %t[%x] : !ocl.ptr<i32, local>
// CHECK-NEXT:        }
// CHECK-NEXT:        ocl.store %m, %t[%lx] : !ocl.ptr<i32, local>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }


// The ids that pass are multiples of a number: the region has as many.
wg.func @multiples(%y: !ocl.ptr<i32, global> {ocl.name = "y"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  wg.parallel (%x, %u, %v) in (%c64, %c1, %c1) {
    %l = arith.index_cast %x : index to i32
    %rest = arith.remsi %l, %n : i32
    %go = arith.cmpi eq, %rest, %zero : i32
    scf.if %go {
      ocl.store %l, %y[%x] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @multiples
// CHECK:         %[[COUNT:.*]] = arith.divui
// CHECK-NEXT:    wg.parallel (%[[I:.*]], %{{.*}}, %{{.*}}) in (%[[COUNT]], %c1, %c1) {
// CHECK-NEXT:      %[[X:.*]] = arith.muli %[[I]], %{{.*}} : index
// CHECK-NOT:       scf.if
// CHECK:           ocl.store %{{.*}}, %y[%[[X]]] : !ocl.ptr<i32, global>

// Each id has a divisor of its own.
wg.func @own(%y: !ocl.ptr<i32, global> {ocl.name = "y"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  wg.parallel (%x, %u, %v) in (%c64, %c1, %c1) {
    %l = arith.index_cast %x : index to i32
    %n = ocl.load %y[%x] : !ocl.ptr<i32, global>
    %rest = arith.remsi %l, %n : i32
    %go = arith.cmpi eq, %rest, %zero : i32
    scf.if %go {
      ocl.store %l, %y[%x] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @own
// CHECK:         wg.parallel {{.*}} in (%c64, %c1, %c1) {
// CHECK:         scf.if

// A product of the id with a number that the group knows: the last work-items do not run, if the
// number is positive and not large. The guard stays.
// REMARK: runs for the work-items below a bound along x, with a guard [wg-clip-guards]
wg.func @product(%y: !ocl.ptr<i32, global> {ocl.name = "y"}, %n: i32 {ocl.name = "n"}, %m: i32 {ocl.name = "m"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  wg.parallel (%x, %u, %v) in (%c64, %c1, %c1) {
    %l = arith.index_cast %x : index to i32
    %next = arith.addi %l, %one : i32
    %times = arith.muli %next, %n : i32
    %at = arith.subi %times, %one : i32
    %go = arith.cmpi slt, %at, %m : i32
    scf.if %go {
      ocl.store %l, %y[%x] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @product
// CHECK:         %[[COUNT:.*]] = arith.divui
// CHECK-NEXT:    %[[LEAST:.*]] = arith.minui %[[COUNT]], %c64 : index
// CHECK-NEXT:    %[[SIZE:.*]] = arith.select %{{.*}}, %[[LEAST]], %c64 : index
// CHECK-NEXT:    wg.parallel {{.*}} in (%[[SIZE]], %c1, %c1) {
// CHECK:           scf.if

// An id in a type that is too small for all ids, a square, a factor that is known: nothing changes.
wg.func @no_product(%y: !ocl.ptr<i32, global> {ocl.name = "y"}, %n: i32 {ocl.name = "n"}, %b: i8 {ocl.name = "b"}) attributes {local_size = array<i64: 512, 1, 1>} {
  %c512 = arith.constant 512 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : i32
  wg.parallel (%x, %u, %v) in (%c512, %c1, %c1) {
    %l = arith.index_cast %x : index to i32
    %small = arith.trunci %l : i32 to i8
    %go = arith.cmpi ult, %small, %b : i8
    scf.if %go {
      ocl.store %l, %y[%x] : !ocl.ptr<i32, global>
    }
  }
  wg.parallel (%x, %u, %v) in (%c512, %c1, %c1) {
    %l = arith.index_cast %x : index to i32
    %square = arith.muli %l, %l : i32
    %go = arith.cmpi slt, %square, %n : i32
    scf.if %go {
      ocl.store %l, %y[%x] : !ocl.ptr<i32, global>
    }
  }
  wg.parallel (%x, %u, %v) in (%c512, %c1, %c1) {
    %l = arith.index_cast %x : index to i32
    %twice = arith.muli %l, %two : i32
    %go = arith.cmpi slt, %twice, %n : i32
    scf.if %go {
      ocl.store %l, %y[%x] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @no_product
// CHECK:         wg.parallel {{.*}} in (%c512, %c1, %c1) {
// CHECK:         wg.parallel {{.*}} in (%c512, %c1, %c1) {
// CHECK:         wg.parallel {{.*}} in (%c512, %c1, %c1) {

// The masks of a loop that doubles a number, from 1, are one less than powers of two: ids that pass
// are as far apart, and so they are where one more than the id is a multiple.
wg.func @masks(%y: !ocl.ptr<i32, global> {ocl.name = "y"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %n = arith.constant 64 : i32
  scf.while (%k = %one) : (i32) -> i32 {
    %more = arith.cmpi slt, %k, %n : i32
    scf.condition(%more) %k : i32
  } do {
  ^bb0(%k: i32):
    %twice = arith.addi %k, %k : i32
    %next = arith.shli %k, %one : i32
    %mask = arith.subi %next, %one : i32
    wg.parallel (%x, %u, %v) in (%c64, %c1, %c1) {
      %l = arith.index_cast %x : index to i32
      %plus = arith.addi %l, %one : i32
      %rest = arith.andi %mask, %plus : i32
      %go = arith.cmpi eq, %zero, %rest : i32
      scf.if %go {
        ocl.store %l, %y[%x] : !ocl.ptr<i32, global>
      }
    }
    scf.yield %next : i32
  }
  wg.return
}

// CHECK-LABEL: wg.func @masks
// CHECK:         %[[MASK:.*]] = arith.subi %next, %one : i32
// CHECK:         %[[SMALL:.*]] = arith.minui %{{.*}}, %c64 : index
// CHECK:         %[[STEP:.*]] = arith.addi %[[SMALL]], %{{.*}} : index
// CHECK:         arith.andi %{{.*}}, %[[MASK]] : i32
// CHECK:         %[[COUNT:.*]] = arith.divui %{{.*}}, %[[STEP]] : index
// CHECK-NEXT:    wg.parallel (%[[I:.*]], %{{.*}}, %{{.*}}) in (%[[COUNT]], %c1, %c1) {
// CHECK-NEXT:      %[[TIMES:.*]] = arith.muli %[[I]], %[[STEP]] : index
// CHECK-NEXT:      %[[X:.*]] = arith.addi %[[TIMES]], %{{.*}} : index
// CHECK-NOT:       scf.if
// CHECK:           ocl.store %{{.*}}, %y[%[[X]]] : !ocl.ptr<i32, global>

// A mask that may be anything; a number that is halved may have been the lowest one: -64, -32, ...
wg.func @no_mask(%y: !ocl.ptr<i32, global> {ocl.name = "y"}, %mask: i32 {ocl.name = "mask"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %least = arith.constant -2147483648 : i32
  wg.parallel (%x, %u, %v) in (%c64, %c1, %c1) {
    %l = arith.index_cast %x : index to i32
    %rest = arith.andi %l, %mask : i32
    %go = arith.cmpi eq, %rest, %zero : i32
    scf.if %go {
      ocl.store %l, %y[%x] : !ocl.ptr<i32, global>
    }
  }
  %last = scf.while (%k = %least) : (i32) -> i32 {
    %more = arith.cmpi slt, %k, %zero : i32
    scf.condition(%more) %k : i32
  } do {
  ^bb0(%k: i32):
    %half = arith.shrsi %k, %one : i32
    %less = arith.subi %half, %one : i32
    wg.parallel (%x, %u, %v) in (%c64, %c1, %c1) {
      %l = arith.index_cast %x : index to i32
      %rest = arith.andi %l, %less : i32
      %go = arith.cmpi eq, %rest, %zero : i32
      scf.if %go {
        ocl.store %l, %y[%x] : !ocl.ptr<i32, global>
      }
    }
    scf.yield %half : i32
  }
  wg.return
}

// CHECK-LABEL: wg.func @no_mask
// CHECK:         wg.parallel {{.*}} in (%c64, %c1, %c1) {
// CHECK:         wg.parallel {{.*}} in (%c64, %c1, %c1) {

// All is known: 16 * 15 + 8 is the last number below 255; unsigned numbers that wrap tell nothing; and
// nothing is left of a region whose guard always fails.
wg.func @numbers(%y: !ocl.ptr<i32, global> {ocl.name = "y"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %eight = arith.constant 8 : i32
  %sixteen = arith.constant 16 : i32
  %n = arith.constant 255 : i32
  wg.parallel (%x, %u, %v) in (%c64, %c1, %c1) {
    %l = arith.index_cast %x : index to i32
    %times = arith.muli %l, %sixteen : i32
    %sum = arith.addi %times, %eight : i32
    %go = arith.cmpi ult, %sum, %n : i32
    scf.if %go {
      ocl.store %l, %y[%x] : !ocl.ptr<i32, global>
    }
  }
  wg.parallel (%x, %u, %v) in (%c64, %c1, %c1) {
    %l = arith.index_cast %x : index to i32
    %sum = arith.subi %l, %one : i32
    %go = arith.cmpi ult, %sum, %n : i32
    scf.if %go {
      ocl.store %l, %y[%x] : !ocl.ptr<i32, global>
    }
  }
  wg.parallel (%x, %u, %v) in (%c64, %c1, %c1) {
    %l = arith.index_cast %x : index to i32
    %sum = arith.addi %l, %n : i32
    %go = arith.cmpi slt, %sum, %n : i32
    scf.if %go {
      ocl.store %eight, %y[%x] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @numbers
// CHECK:         %[[COUNT:.*]] = arith.constant 16 : index
// CHECK-NEXT:    wg.parallel {{.*}} in (%[[COUNT]], %c1, %c1) {
// CHECK-NOT:       scf.if
// CHECK:         wg.parallel {{.*}} in (%c64, %c1, %c1) {
// CHECK:           scf.if
// CHECK-NOT:     ocl.store %eight
// CHECK:         wg.return

// Several guards of one condition: work-item 0 computes with private memory, and passes the result on.
wg.func @one_after_the_other(%t: !ocl.ptr<i32, local> {ocl.name = "t"}, %y: !ocl.ptr<i32, global> {ocl.name = "y"}, %m: i64 {ocl.name = "m"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c64 = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  wg.parallel (%x, %u, %v) in (%c64, %c1, %c1) {
    %p = ocl.alloca : !ocl.ptr<i32, private>
    %go = arith.cmpi ult, %x, %c1 : index
    scf.if %go {
      %l = ocl.load %y[%c0] : !ocl.ptr<i32, global>
      ocl.store %l, %p[%c0] : !ocl.ptr<i32, private>
    }
    scf.if %go {
      %l = ocl.load %p[%c0] : !ocl.ptr<i32, private>
      ocl.store %l, %t[%c0] : !ocl.ptr<i32, local>
    }
  }
  // Two conditions stay.
  wg.parallel (%x, %u, %v) in (%c64, %c1, %c1) {
    %go = arith.cmpi ult, %x, %c1 : index
    %id = arith.index_cast %x : index to i64
    %less = arith.cmpi ult, %id, %m : i64
    scf.if %go {
      %l = ocl.load %t[%c0] : !ocl.ptr<i32, local>
      ocl.store %l, %y[%c0] : !ocl.ptr<i32, global>
    }
    scf.if %less {
      %l = ocl.load %t[%c0] : !ocl.ptr<i32, local>
      ocl.store %l, %y[%x] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @one_after_the_other
// CHECK:         %[[COUNT:[0-9]+]] = arith.constant 1 : index
// CHECK-NEXT:    wg.parallel {{.*}} in (%[[COUNT]], %c1, %c1) {
// CHECK-NOT:       scf.if
// CHECK:         wg.parallel {{.*}} in (%c64, %c1, %c1) {
// CHECK-COUNT-2:   scf.if
// CHECK:         wg.return

// Loads may stand beside a guard whose bound is a constant; a bound of the group makes two kinds of
// tiles of one.
wg.func @loads(%t: !ocl.ptr<f32, local> {ocl.name = "t"}, %p: !ocl.ptr<f32, global> {ocl.name = "p"}, %m: i64 {ocl.name = "m"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %lx = arith.constant 64 : index
  %one = arith.constant 1 : index
  %bound = arith.constant 16 : index
  %stride = arith.index_cast %m : i64 to index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %v = ocl.load %p[%x] : !ocl.ptr<f32, global>
    %go = arith.cmpi slt, %x, %bound : index
    scf.if %go {
      ocl.store %v, %t[%x] : !ocl.ptr<f32, local>
    }
  }
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %v = ocl.load %p[%x] : !ocl.ptr<f32, global>
    %go = arith.cmpi slt, %x, %stride : index
    scf.if %go {
      ocl.store %v, %t[%x] : !ocl.ptr<f32, local>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @loads
// CHECK:         arith.index_cast %m
// CHECK-NEXT:    %[[BOUND:.*]] = arith.constant 16 : index
// CHECK-NEXT:    wg.parallel (%x, %y, %z) in (%[[BOUND]], %one, %one) {
// CHECK-NOT:     scf.if
// CHECK:         wg.parallel (%{{.*}}, %{{.*}}, %{{.*}}) in (%lx, %one, %one) {
// CHECK:           scf.if

// A mask that is a number: the step is one, too, and vectors access each second element.
wg.func @every_other(%y: !ocl.ptr<i32, local> {ocl.name = "y"}, %first: i32 {ocl.name = "first"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  wg.parallel (%x, %u, %v) in (%c64, %c1, %c1) {
    %l = arith.index_cast %x : index to i32
    %bit = arith.andi %l, %one : i32
    %go = arith.cmpi eq, %bit, %first : i32
    scf.if %go {
      ocl.store %l, %y[%x] : !ocl.ptr<i32, local>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @every_other
// CHECK:         %[[TWO:.*]] = arith.constant 2 : index
// CHECK:         arith.divui %{{.*}}, %[[TWO]] : index
// CHECK:         wg.parallel (%[[I:[^,]*]],
// CHECK-NEXT:      arith.muli %[[I]], %[[TWO]] : index
