// RUN: ocl-opt %s -p "wg-vectorize{width=4}" | filecheck %s

// A branch that the work-items agree about stays.
wg.func @uniform_branch(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %n: i32 {ocl.name = "n"}) {
  %lx = arith.constant 8 : index
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %c = arith.cmpi sgt, %n, %zero : i32
    scf.if %c {
      ocl.store %n, %a[%x] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @uniform_branch(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %n: i32 {ocl.name = "n"}) {
// CHECK-NEXT:      %lx = arith.constant 8 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      %zero = arith.constant 0 : i32
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%lx, %one, %one) step (4, 1, 1) {
// CHECK-NEXT:        %0 = vector.broadcast %n : i32 to vector<4xi32>
// CHECK-NEXT:        %c = arith.cmpi sgt, %n, %zero : i32
// CHECK-NEXT:        scf.if %c {
// CHECK-NEXT:          wg.store %0, %a[%x] : vector<4xi32>, !ocl.ptr<i32, global>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// One that they do not agree about becomes a mask. A short side that only computes runs for every
// tile; one that stores is jumped over where no lane takes it. The results are selected.
wg.func @divergent_branch(%a: !ocl.ptr<i32, global> {ocl.name = "a"}) {
  %lx = arith.constant 8 : index
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<i32, global>
    %c = arith.cmpi slt, %v, %zero : i32
    %r = scf.if %c -> (i32) {
      %m = arith.subi %zero, %v : i32
      scf.yield %m : i32
    } else {
      ocl.store %zero, %a[%x] : !ocl.ptr<i32, global>
      scf.yield %v : i32
    }
    ocl.store %r, %a[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @divergent_branch(%a: !ocl.ptr<i32, global> {ocl.name = "a"}) {
// CHECK-NEXT:      %lx = arith.constant 8 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      %zero = arith.constant 0 : i32
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%lx, %one, %one) step (4, 1, 1) {
// CHECK-NEXT:        %0 = vector.broadcast %zero : i32 to vector<4xi32>
// CHECK-NEXT:        %v = wg.load %a[%x] : !ocl.ptr<i32, global> -> vector<4xi32>
// CHECK-NEXT:        %c = vec.cmpi slt, %v, %0 : vector<4xi32>
// CHECK-NEXT:        %m = arith.subi %0, %v : vector<4xi32>
// CHECK-NEXT:        %1 = arith.constant dense<true> : vector<4xi1>
// CHECK-NEXT:        %2 = arith.xori %c, %1 : vector<4xi1>
// CHECK-NEXT:        %3 = wg.any_lane %2 : vector<4xi1>
// CHECK-NEXT:        scf.if %3 {
// CHECK-NEXT:          wg.store %0, %a[%x] mask %2 : vector<4xi1> : vector<4xi32>, !ocl.ptr<i32, global>
// CHECK-NEXT:        }
// CHECK-NEXT:        %4 = vec.select %c, %m, %v : vector<4xi1>, vector<4xi32>
// CHECK-NEXT:        wg.store %4, %a[%x] : vector<4xi32>, !ocl.ptr<i32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// A side of more than twelve operations is jumped over; constants are none.
wg.func @long_side(%a: !ocl.ptr<i32, global> {ocl.name = "a"}) {
  %lx = arith.constant 8 : index
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<i32, global>
    %c = arith.cmpi slt, %v, %zero : i32
    %r = scf.if %c -> (i32) {
      %k1 = arith.constant 1 : i32
      %k2 = arith.constant 2 : i32
      %k3 = arith.constant 3 : i32
      %k4 = arith.constant 4 : i32
      %k5 = arith.constant 5 : i32
      %k6 = arith.constant 6 : i32
      %k7 = arith.constant 7 : i32
      %s1 = arith.addi %v, %k1 : i32
      %s2 = arith.muli %s1, %k2 : i32
      %s3 = arith.addi %s2, %k3 : i32
      %s4 = arith.muli %s3, %k4 : i32
      %s5 = arith.addi %s4, %k5 : i32
      %s6 = arith.muli %s5, %k6 : i32
      %s7 = arith.addi %s6, %k7 : i32
      scf.yield %s7 : i32
    } else {
      %m = arith.muli %v, %v : i32
      %n = arith.muli %m, %v : i32
      %o = arith.muli %n, %v : i32
      %p = arith.muli %o, %v : i32
      %q = arith.muli %p, %v : i32
      %s = arith.muli %q, %v : i32
      %t = arith.muli %s, %v : i32
      %u = arith.muli %t, %v : i32
      %w = arith.muli %u, %v : i32
      %b = arith.muli %w, %v : i32
      %d = arith.muli %b, %v : i32
      %e = arith.muli %d, %v : i32
      %f = arith.muli %e, %v : i32
      scf.yield %f : i32
    }
    ocl.store %r, %a[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @long_side(
// CHECK:             %c = vec.cmpi slt
// CHECK-NOT:         wg.any_lane
// CHECK:             %s7 = arith.addi
// CHECK:             [[ANY:%.*]] = wg.any_lane
// CHECK-NEXT:        [[LONG:%.*]] = scf.if [[ANY]]
// CHECK:             vec.select %c, %s7, [[LONG]]

// Where the other side has its result already, the lanes that take this one get theirs in the
// branch that is jumped over.
wg.func @replaced(%a: !ocl.ptr<i32, global> {ocl.name = "a"}) {
  %lx = arith.constant 8 : index
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<i32, global>
    %c = arith.cmpi slt, %v, %zero : i32
    %r = scf.if %c -> (i32) {
      %m = arith.subi %zero, %v : i32
      ocl.store %zero, %a[%x] : !ocl.ptr<i32, global>
      scf.yield %m : i32
    } else {
      scf.yield %v : i32
    }
    ocl.store %r, %a[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @replaced(
// CHECK:             %[[ANY:.*]] = wg.any_lane %c : vector<4xi1>
// CHECK-NEXT:        %r = scf.if %[[ANY]] -> (vector<4xi32>) {
// CHECK-NEXT:          %m = arith.subi %0, %v : vector<4xi32>
// CHECK-NEXT:          wg.store %0, %a[%x] mask %c : vector<4xi1> : vector<4xi32>, !ocl.ptr<i32, global>
// CHECK-NEXT:          %[[NEW:.*]] = vec.select %c, %m, %v : vector<4xi1>, vector<4xi32>
// CHECK-NEXT:          scf.yield %[[NEW]] : vector<4xi32>
// CHECK-NEXT:        } else {
// CHECK-NEXT:          scf.yield %v : vector<4xi32>
// CHECK-NEXT:        }
// CHECK-NEXT:        wg.store %r, %a[%x] : vector<4xi32>, !ocl.ptr<i32, global>

// A side that loads from one place is jumped over, too: there may be nothing at that place. A lane
// that is off divides by one.
wg.func @guarded_side(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %p: !ocl.ptr<i32, global> {ocl.name = "p"}) {
  %lx = arith.constant 8 : index
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<i32, global>
    %c = arith.cmpi ne, %v, %zero : i32
    scf.if %c {
      %u = ocl.load %p : !ocl.ptr<i32, global>
      %q = arith.divsi %u, %v : i32
      ocl.store %q, %a[%x] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @guarded_side(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %p: !ocl.ptr<i32, global> {ocl.name = "p"}) {
// CHECK-NEXT:      %lx = arith.constant 8 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      %zero = arith.constant 0 : i32
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%lx, %one, %one) step (4, 1, 1) {
// CHECK-NEXT:        %0 = vector.broadcast %zero : i32 to vector<4xi32>
// CHECK-NEXT:        %v = wg.load %a[%x] : !ocl.ptr<i32, global> -> vector<4xi32>
// CHECK-NEXT:        %c = vec.cmpi ne, %v, %0 : vector<4xi32>
// CHECK-NEXT:        %1 = wg.any_lane %c : vector<4xi1>
// CHECK-NEXT:        scf.if %1 {
// CHECK-NEXT:          %u = ocl.load %p : !ocl.ptr<i32, global>
// CHECK-NEXT:          %2 = vector.broadcast %u : i32 to vector<4xi32>
// CHECK-NEXT:          %3 = arith.constant dense<1> : vector<4xi32>
// CHECK-NEXT:          %4 = vec.select %c, %v, %3 : vector<4xi1>, vector<4xi32>
// CHECK-NEXT:          %q = arith.divsi %2, %4 : vector<4xi32>
// CHECK-NEXT:          wg.store %q, %a[%x] mask %c : vector<4xi1> : vector<4xi32>, !ocl.ptr<i32, global>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// A loop with a uniform trip count stays, and carries vectors in registers.
wg.func @uniform_loop(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}) {
  %lx = arith.constant 8 : index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0.0 : f32
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %sum = scf.for %k = %zero to %lx step %one iter_args(%s = %none) -> (f32) {
      %i = arith.addi %k, %x : index
      %v = ocl.load %a[%i] : !ocl.ptr<f32, global>
      %t = arith.addf %s, %v : f32
      scf.yield %t : f32
    }
    ocl.store %sum, %b[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @uniform_loop(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}) {
// CHECK-NEXT:      %lx = arith.constant 8 : index
// CHECK-NEXT:      %zero = arith.constant 0 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      %none = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%lx, %one, %one) step (4, 1, 1) {
// CHECK-NEXT:        %0 = vector.broadcast %none : f32 to vector<4xf32>
// CHECK-NEXT:        %sum = scf.for %k = %zero to %lx step %one iter_args(%s = %0) -> (vector<4xf32>) {
// CHECK-NEXT:          %i = arith.addi %k, %x : index
// CHECK-NEXT:          %v = wg.load %a[%i] : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:          %t = arith.addf %s, %v : vector<4xf32>
// CHECK-NEXT:          scf.yield %t : vector<4xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:        wg.store %sum, %b[%x] : vector<4xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// A loop that work-items leave at different times runs as long as any lane is in it: the mask says
// who is. Last of what it carries is what leaves it: %n, for each lane as it was when it left.
wg.func @divergent_loop(%a: !ocl.ptr<i32, global> {ocl.name = "a"}) {
  %lx = arith.constant 8 : index
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<i32, global>
    %last, %count = scf.while (%w = %v, %n = %zero) : (i32, i32) -> (i32, i32) {
      %c = arith.cmpi ugt, %w, %c1 : i32
      scf.condition(%c) %w, %n : i32, i32
    } do {
    ^bb0(%w: i32, %n: i32):
      %half = arith.shrui %w, %c1 : i32
      %more = arith.addi %n, %c1 : i32
      scf.yield %half, %more : i32, i32
    }
    ocl.store %count, %a[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @divergent_loop(%a: !ocl.ptr<i32, global> {ocl.name = "a"}) {
// CHECK-NEXT:      %lx = arith.constant 8 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      %zero = arith.constant 0 : i32
// CHECK-NEXT:      %c1 = arith.constant 1 : i32
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%lx, %one, %one) step (4, 1, 1) {
// CHECK-NEXT:        %0 = vector.broadcast %c1 : i32 to vector<4xi32>
// CHECK-NEXT:        %v = wg.load %a[%x] : !ocl.ptr<i32, global> -> vector<4xi32>
// CHECK-NEXT:        %1 = arith.constant dense<true> : vector<4xi1>
// CHECK-NEXT:        %2 = arith.constant dense<0> : vector<4xi32>
// CHECK-NEXT:        %3, %4, %5, %count = scf.while (%w = %v, %n = %zero, %6 = %1, %7 = %2) : (vector<4xi32>, i32, vector<4xi1>, vector<4xi32>) -> (vector<4xi32>, i32, vector<4xi1>, vector<4xi32>) {
// CHECK-NEXT:          %8 = vector.broadcast %n : i32 to vector<4xi32>
// CHECK-NEXT:          %c = vec.cmpi ugt, %w, %0 : vector<4xi32>
// CHECK-NEXT:          %9 = arith.constant dense<false> : vector<4xi1>
// CHECK-NEXT:          %10 = vec.select %6, %c, %9 : vector<4xi1>, vector<4xi1>
// CHECK-NEXT:          %11 = vec.select %6, %8, %7 : vector<4xi1>, vector<4xi32>
// CHECK-NEXT:          %12 = wg.any_lane %10 : vector<4xi1>
// CHECK-NEXT:          scf.condition(%12) %w, %n, %10, %11 : vector<4xi32>, i32, vector<4xi1>, vector<4xi32>
// CHECK-NEXT:        } do {
// CHECK-NEXT:        ^bb0(%w_1: vector<4xi32>, %n_1: i32, %13: vector<4xi1>, %14: vector<4xi32>):
// CHECK-NEXT:          %half = arith.shrui %w_1, %0 : vector<4xi32>
// CHECK-NEXT:          %more = arith.addi %n_1, %c1 : i32
// CHECK-NEXT:          scf.yield %half, %more, %13, %14 : vector<4xi32>, i32, vector<4xi1>, vector<4xi32>
// CHECK-NEXT:        }
// CHECK-NEXT:        wg.store %count, %a[%x] : vector<4xi32>, !ocl.ptr<i32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// %w is carried as a vector anyway: it stays as it is for lanes that have left, and no copy of it is
// needed.
wg.func @staying(%a: !ocl.ptr<i32, global> {ocl.name = "a"}) {
  %lx = arith.constant 8 : index
  %one = arith.constant 1 : index
  %c1 = arith.constant 1 : i32
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<i32, global>
    %last = scf.while (%w = %v) : (i32) -> i32 {
      %c = arith.cmpi ugt, %w, %c1 : i32
      scf.condition(%c) %w : i32
    } do {
    ^bb0(%w: i32):
      %half = arith.shrui %w, %c1 : i32
      scf.yield %half : i32
    }
    ocl.store %last, %a[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @staying(
// CHECK:             %last, %2 = scf.while (%w = %v, %3 = %1) : (vector<4xi32>, vector<4xi1>) -> (vector<4xi32>, vector<4xi1>) {
// CHECK:             ^bb0(%w_1: vector<4xi32>, %{{.*}}: vector<4xi1>):
// CHECK-NEXT:          %half = arith.shrui %w_1, %0 : vector<4xi32>
// CHECK-NEXT:          %{{.*}} = vec.select %{{.*}}, %half, %w_1 : vector<4xi1>, vector<4xi32>

// So does a loop whose bounds are different. The counter stays a scalar where all begin at the
// same place, and all that are on store to one element: the last of them last.
wg.func @divergent_bounds(%a: !ocl.ptr<i32, global> {ocl.name = "a"}) {
  %lx = arith.constant 8 : index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<i32, global>
    %n = arith.index_cast %v : i32 to index
    scf.for %k = %zero to %n step %one {
      ocl.store %v, %a[%k] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @divergent_bounds(%a: !ocl.ptr<i32, global> {ocl.name = "a"}) {
// CHECK-NEXT:      %lx = arith.constant 8 : index
// CHECK-NEXT:      %zero = arith.constant 0 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%lx, %one, %one) step (4, 1, 1) {
// CHECK-NEXT:        %v = wg.load %a[%x] : !ocl.ptr<i32, global> -> vector<4xi32>
// CHECK-NEXT:        %n = vec.index_cast %v : vector<4xi32> to vector<4xindex>
// CHECK-NEXT:        %0 = arith.constant dense<true> : vector<4xi1>
// CHECK-NEXT:        %1, %2 = scf.while (%k = %zero, %3 = %0) : (index, vector<4xi1>) -> (index, vector<4xi1>) {
// CHECK-NEXT:          %4 = vector.broadcast %k : index to vector<4xindex>
// CHECK-NEXT:          %5 = vec.cmpi slt, %4, %n : vector<4xindex>
// CHECK-NEXT:          %6 = arith.constant dense<false> : vector<4xi1>
// CHECK-NEXT:          %7 = vec.select %3, %5, %6 : vector<4xi1>, vector<4xi1>
// CHECK-NEXT:          %8 = wg.any_lane %7 : vector<4xi1>
// CHECK-NEXT:          scf.condition(%8) %k, %7 : index, vector<4xi1>
// CHECK-NEXT:        } do {
// CHECK-NEXT:        ^bb0(%k_1: index, %9: vector<4xi1>):
// CHECK-NEXT:          %10 = ocl.offset %a[%k_1] : !ocl.ptr<i32, global>
// CHECK-NEXT:          %11 = arith.constant dense<0> : vector<4xindex>
// CHECK-NEXT:          wg.scatter %v, %10[%11] stride 1 : i64 mask %9 : vector<4xi1> : vector<4xi32>, vector<4xindex>, !ocl.ptr<i32, global>
// CHECK-NEXT:          %12 = arith.addi %k_1, %one : index
// CHECK-NEXT:          scf.yield %12, %9 : index, vector<4xi1>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }
