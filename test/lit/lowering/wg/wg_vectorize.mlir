// RUN: ocl-opt %s -p "wg-vectorize{width=4}" | filecheck %s

// Four neighbouring work-items are one tile. What is the same for them stays a scalar (%s), what
// differs is a vector. Neighbours that access neighbouring elements make one load or store.
wg.func @consecutive(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %s: f32 {ocl.name = "s"}) {
  %n = arith.constant 16 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    %w = arith.mulf %v, %s : f32
    ocl.store %w, %a[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @consecutive(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %s: f32 {ocl.name = "s"}) {
// CHECK-NEXT:      %n = arith.constant 16 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%n, %one, %one) step (4, 1, 1) {
// CHECK-NEXT:        %0 = vector.broadcast %s : f32 to vector<4xf32>
// CHECK-NEXT:        %v = wg.load %a[%x] : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:        %w = arith.mulf %v, %0 : vector<4xf32>
// CHECK-NEXT:        wg.store %w, %a[%x] : vector<4xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// An address that is the same for the tile is loaded from once, and computed with as a scalar.
wg.func @uniform(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %b: !ocl.ptr<i32, global> {ocl.name = "b"}) {
  %n = arith.constant 16 : index
  %two = arith.constant 2 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%n, %two, %one) {
    %row = ocl.load %a[%y] : !ocl.ptr<i32, global>
    %twice = arith.addi %row, %row : i32
    ocl.store %twice, %b[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @uniform(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %b: !ocl.ptr<i32, global> {ocl.name = "b"}) {
// CHECK-NEXT:      %n = arith.constant 16 : index
// CHECK-NEXT:      %two = arith.constant 2 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%n, %two, %one) step (4, 1, 1) {
// CHECK-NEXT:        %row = ocl.load %a[%y] : !ocl.ptr<i32, global>
// CHECK-NEXT:        %twice = arith.addi %row, %row : i32
// CHECK-NEXT:        %0 = vector.broadcast %twice : i32 to vector<4xi32>
// CHECK-NEXT:        wg.store %0, %b[%x] : vector<4xi32>, !ocl.ptr<i32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// Elements at a small constant distance: one load, under a mask that leaves out what lies between
// them. Neighbours in reverse order are a vector in reverse.
wg.func @strided(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}) {
  %n = arith.constant 16 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %i = arith.muli %x, %three : index
    %v = ocl.load %a[%i] : !ocl.ptr<f32, global>
    %back = arith.subi %n, %x : index
    ocl.store %v, %b[%back] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @strided(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}) {
// CHECK-NEXT:      %n = arith.constant 16 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      %three = arith.constant 3 : index
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%n, %one, %one) step (4, 1, 1) {
// CHECK-NEXT:        %i = arith.muli %x, %three : index
// CHECK-NEXT:        %0 = arith.constant dense<[true, false, false, true, false, false, true, false, false, true, false, false, false, false, false, false]> : vector<16xi1>
// CHECK-NEXT:        %1 = wg.load %a[%i] mask %0 : vector<16xi1> : !ocl.ptr<f32, global> -> vector<16xf32>
// CHECK-NEXT:        %v = vector.shuffle %1, %1 [0, 3, 6, 9] : vector<16xf32>, vector<16xf32>
// CHECK-NEXT:        %back = arith.subi %n, %x : index
// CHECK-NEXT:        %2 = arith.constant 3 : index
// CHECK-NEXT:        %3 = arith.subi %back, %2 : index
// CHECK-NEXT:        %4 = vector.shuffle %v, %v [3, 2, 1, 0] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT:        wg.store %4, %b[%3] : vector<4xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// Elements anywhere: an index for each lane.
wg.func @gather(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %at: !ocl.ptr<i64, global> {ocl.name = "at"}) {
  %n = arith.constant 16 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %j = ocl.load %at[%x] : !ocl.ptr<i64, global>
    %i = arith.index_cast %j : i64 to index
    %v = ocl.load %a[%i] : !ocl.ptr<f32, global>
    %w = arith.addf %v, %v : f32
    ocl.store %w, %a[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @gather(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %at: !ocl.ptr<i64, global> {ocl.name = "at"}) {
// CHECK-NEXT:      %n = arith.constant 16 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%n, %one, %one) step (4, 1, 1) {
// CHECK-NEXT:        %j = wg.load %at[%x] : !ocl.ptr<i64, global> -> vector<4xi64>
// CHECK-NEXT:        %i = vec.index_cast %j : vector<4xi64> to vector<4xindex>
// CHECK-NEXT:        %0 = arith.constant dense<0> : vector<4xindex>
// CHECK-NEXT:        %v = wg.gather %a[%i] stride 4 : i64 : vector<4xindex>, !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:        %w = arith.addf %v, %v : vector<4xf32>
// CHECK-NEXT:        %1 = arith.constant dense<0> : vector<4xindex>
// CHECK-NEXT:        wg.scatter %w, %a[%i] stride 4 : i64 : vector<4xf32>, vector<4xindex>, !ocl.ptr<f32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// A vector of OpenCL C is one vector for each of its elements. A row of them is loaded as it lies
// in memory and taken apart.
wg.func @vectors(%a: !ocl.ptr<vector<2xf32>, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}) {
  %n = arith.constant 16 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<vector<2xf32>, global>
    %first = vector.extract %v[0] : f32 from vector<2xf32>
    %second = vector.extract %v[1] : f32 from vector<2xf32>
    %sum = arith.addf %first, %second : f32
    ocl.store %sum, %b[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @vectors(%a: !ocl.ptr<vector<2xf32>, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}) {
// CHECK-NEXT:      %n = arith.constant 16 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%n, %one, %one) step (4, 1, 1) {
// CHECK-NEXT:        %0 = ocl.offset %a[%x] : !ocl.ptr<vector<2xf32>, global>
// CHECK-NEXT:        %1 = ocl.cast %0 : !ocl.ptr<vector<2xf32>, global> to !ocl.ptr<f32, global>
// CHECK-NEXT:        %2 = arith.constant 0 : index
// CHECK-NEXT:        %v = wg.load %1[%2] : !ocl.ptr<f32, global> -> vector<8xf32>
// CHECK-NEXT:        %3 = vector.shuffle %v, %v [0, 2, 4, 6] : vector<8xf32>, vector<8xf32>
// CHECK-NEXT:        %4 = vector.shuffle %v, %v [1, 3, 5, 7] : vector<8xf32>, vector<8xf32>
// CHECK-NEXT:        %sum = arith.addf %3, %4 : vector<4xf32>
// CHECK-NEXT:        wg.store %sum, %b[%x] : vector<4xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// Where that takes fewer shuffles, the elements stay in the order of memory: one vector has all
// elements of all lanes, and each operation computes it as a whole. What the lanes share is repeated.
wg.func @rows(%a: !ocl.ptr<vector<2xf32>, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}) {
  %n = arith.constant 16 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<vector<2xf32>, global>
    %s = ocl.load %b[%x] : !ocl.ptr<f32, global>
    %both = vector.broadcast %s : f32 to vector<2xf32>
    %w = arith.mulf %v, %v : vector<2xf32>
    %sum = arith.addf %w, %both : vector<2xf32>
    ocl.store %sum, %a[%x] : !ocl.ptr<vector<2xf32>, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @rows(%a: !ocl.ptr<vector<2xf32>, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}) {
// CHECK-NEXT:      %n = arith.constant 16 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%n, %one, %one) step (4, 1, 1) {
// CHECK-NEXT:        %0 = ocl.offset %a[%x] : !ocl.ptr<vector<2xf32>, global>
// CHECK-NEXT:        %1 = ocl.cast %0 : !ocl.ptr<vector<2xf32>, global> to !ocl.ptr<f32, global>
// CHECK-NEXT:        %2 = arith.constant 0 : index
// CHECK-NEXT:        %v = wg.load %1[%2] : !ocl.ptr<f32, global> -> vector<8xf32>
// CHECK-NEXT:        %s = wg.load %b[%x] : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:        %both = vector.shuffle %s, %s [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xf32>, vector<4xf32>
// CHECK-NEXT:        %w = arith.mulf %v, %v : vector<8xf32>
// CHECK-NEXT:        %sum = arith.addf %w, %both : vector<8xf32>
// CHECK-NEXT:        %3 = ocl.offset %a[%x] : !ocl.ptr<vector<2xf32>, global>
// CHECK-NEXT:        %4 = ocl.cast %3 : !ocl.ptr<vector<2xf32>, global> to !ocl.ptr<f32, global>
// CHECK-NEXT:        %5 = arith.constant 0 : index
// CHECK-NEXT:        wg.store %sum, %4[%5] : vector<8xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// Memory of a work-item's own: the elements of all lanes lie side by side, so that lanes that use
// the same element are neighbours.
wg.func @private(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %m: i64 {ocl.name = "m"}) {
  %k = arith.index_cast %m : i64 to index
  %n = arith.constant 16 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %t = ocl.alloca : !ocl.ptr<!ocl.array<8 x f32>, private>
    %e = ocl.cast %t : !ocl.ptr<!ocl.array<8 x f32>, private> to !ocl.ptr<f32, private>
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    ocl.store %v, %e[%k] : !ocl.ptr<f32, private>
    %w = ocl.load %e[%one] : !ocl.ptr<f32, private>
    ocl.store %w, %a[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @private(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %m: i64 {ocl.name = "m"}) {
// CHECK-NEXT:      %k = arith.index_cast %m : i64 to index
// CHECK-NEXT:      %n = arith.constant 16 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%n, %one, %one) step (4, 1, 1) {
// CHECK-NEXT:        %0 = ocl.alloca : !ocl.ptr<!ocl.array<4 x !ocl.array<8 x f32>>, private>
// CHECK-NEXT:        %1 = ocl.cast %0 : !ocl.ptr<!ocl.array<4 x !ocl.array<8 x f32>>, private> to !ocl.ptr<!ocl.array<8 x f32>, private>
// CHECK-NEXT:        %2 = ocl.cast %1 : !ocl.ptr<!ocl.array<8 x f32>, private> to !ocl.ptr<f32, private>
// CHECK-NEXT:        %v = wg.load %a[%x] : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:        %3 = arith.constant 4 : index
// CHECK-NEXT:        %4 = arith.muli %k, %3 : index
// CHECK-NEXT:        wg.store %v, %2[%4] : vector<4xf32>, !ocl.ptr<f32, private>
// CHECK-NEXT:        %5 = arith.constant 4 : index
// CHECK-NEXT:        %w = wg.load %2[%5] : !ocl.ptr<f32, private> -> vector<4xf32>
// CHECK-NEXT:        wg.store %w, %a[%x] : vector<4xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// Seven work-items: a tile of four, and one whose mask is off for the last.
wg.func @partial(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
  %n = arith.constant 7 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    %w = arith.negf %v : f32
    ocl.store %w, %a[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @partial(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
// CHECK-NEXT:      %n = arith.constant 7 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      %0 = arith.constant 4 : index
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%0, %one, %one) step (4, 1, 1) {
// CHECK-NEXT:        %v = wg.load %a[%x] : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:        %w = arith.negf %v : vector<4xf32>
// CHECK-NEXT:        wg.store %w, %a[%x] : vector<4xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      %1 = arith.constant 4 : index
// CHECK-NEXT:      %2 = arith.constant 4 : index
// CHECK-NEXT:      wg.parallel (%x_1, %y_1, %z_1) in (%2, %one, %one) step (4, 1, 1) {
// CHECK-NEXT:        %3 = arith.addi %x_1, %1 : index
// CHECK-NEXT:        %4 = arith.constant dense<[true, true, true, false]> : vector<4xi1>
// CHECK-NEXT:        %v_1 = wg.load %a[%3] mask %4 : vector<4xi1> : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:        %w_1 = arith.negf %v_1 : vector<4xf32>
// CHECK-NEXT:        wg.store %w_1, %a[%3] mask %4 : vector<4xi1> : vector<4xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// Six work-items: the last two fill a vector of two.
wg.func @narrow(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
  %n = arith.constant 6 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    %w = arith.negf %v : f32
    ocl.store %w, %a[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @narrow(
// CHECK:           wg.parallel (%x, %y, %z) in (%0, %one, %one) step (4, 1, 1) {
// CHECK:           wg.parallel (%x_1, %y_1, %z_1) in (%2, %one, %one) step (2, 1, 1) {
// CHECK-NEXT:        %3 = arith.addi %x_1, %1 : index
// CHECK-NEXT:        %v_1 = wg.load %a[%3] : !ocl.ptr<f32, global> -> vector<2xf32>
// CHECK-NEXT:        %w_1 = arith.negf %v_1 : vector<2xf32>
// CHECK-NEXT:        wg.store %w_1, %a[%3] : vector<2xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:      }

// A size that the group computes, as wg-clip-guards leaves it: the full tiles, and what is left in
// pieces of 2 and 1.
wg.func @dynamic(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %m: i64 {ocl.name = "m"}) attributes {local_size = array<i64: 16, 1, 1>} {
  %n = arith.index_cast %m : i64 to index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    %w = arith.negf %v : f32
    ocl.store %w, %a[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @dynamic(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %m: i64 {ocl.name = "m"}) attributes {local_size = array<i64: 16, 1, 1>} {
// CHECK-NEXT:      %n = arith.index_cast %m : i64 to index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      %0 = arith.constant 4 : index
// CHECK-NEXT:      %1 = arith.remui %n, %0 : index
// CHECK-NEXT:      %2 = arith.subi %n, %1 : index
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%2, %one, %one) step (4, 1, 1) {
// CHECK-NEXT:        %v = wg.load %a[%x] : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:        %w = arith.negf %v : vector<4xf32>
// CHECK-NEXT:        wg.store %w, %a[%x] : vector<4xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      %3 = arith.constant 2 : index
// CHECK-NEXT:      %4 = arith.andi %1, %3 : index
// CHECK-NEXT:      %5 = arith.constant 0 : index
// CHECK-NEXT:      %6 = arith.cmpi ne, %4, %5 : index
// CHECK-NEXT:      scf.if %6 {
// CHECK-NEXT:        wg.parallel (%x_1, %y_1, %z_1) in (%3, %one, %one) step (2, 1, 1) {
// CHECK-NEXT:          %7 = arith.addi %x_1, %2 : index
// CHECK-NEXT:          %v_1 = wg.load %a[%7] : !ocl.ptr<f32, global> -> vector<2xf32>
// CHECK-NEXT:          %w_1 = arith.negf %v_1 : vector<2xf32>
// CHECK-NEXT:          wg.store %w_1, %a[%7] : vector<2xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      %8 = arith.addi %2, %4 : index
// CHECK-NEXT:      %9 = arith.constant 1 : index
// CHECK-NEXT:      %10 = arith.andi %1, %9 : index
// CHECK-NEXT:      %11 = arith.constant 0 : index
// CHECK-NEXT:      %12 = arith.cmpi ne, %10, %11 : index
// CHECK-NEXT:      scf.if %12 {
// CHECK-NEXT:        wg.parallel (%x_2, %y_2, %z_2) in (%9, %one, %one) {
// CHECK-NEXT:          %x_3 = arith.addi %x_2, %8 : index
// CHECK-NEXT:          %v_2 = ocl.load %a[%x_3] : !ocl.ptr<f32, global>
// CHECK-NEXT:          %w_2 = arith.negf %v_2 : f32
// CHECK-NEXT:          ocl.store %w_2, %a[%x_3] : !ocl.ptr<f32, global>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      %13 = arith.addi %8, %10 : index
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

// Parts of a group on either side of a border, in which work-items inside are full tiles: nothing is left.
wg.func @multiples(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %m: i64 {ocl.name = "m"}, %c: i8 {ocl.name = "c"}) attributes {local_size = array<i64: 16, 1, 1>} {
  %tiles = arith.index_cast %m : i64 to index
  %four = arith.constant 4 : index
  %all = arith.constant 16 : index
  %one = arith.constant 1 : index
  %inside = arith.muli %tiles, %four : index
  %before = arith.minsi %inside, %all : index
  %behind = arith.subi %all, %before : index
  %zero = arith.constant 0 : i8
  %first = arith.cmpi ne, %c, %zero : i8
  %n = arith.select %first, %before, %behind : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    %w = arith.negf %v : f32
    ocl.store %w, %a[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @multiples
// CHECK-NOT:     arith.remui
// CHECK:         wg.parallel (%x, %y, %z) in (%n, %one, %one) step (4, 1, 1) {
// CHECK-NOT:     wg.parallel

// One of the two may be no multiple: something may be left.
wg.func @no_multiples(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %m: i64 {ocl.name = "m"}, %c: i8 {ocl.name = "c"}) attributes {local_size = array<i64: 15, 1, 1>} {
  %tiles = arith.index_cast %m : i64 to index
  %four = arith.constant 4 : index
  %all = arith.constant 15 : index
  %one = arith.constant 1 : index
  %inside = arith.muli %tiles, %four : index
  %behind = arith.subi %all, %inside : index
  %zero = arith.constant 0 : i8
  %first = arith.cmpi ne, %c, %zero : i8
  %n = arith.select %first, %inside, %behind : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    %w = arith.negf %v : f32
    ocl.store %w, %a[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @no_multiples
// CHECK:         arith.remui %n, %{{.*}} : index

// No vector does an atomic: lane after lane, in order. The results are a vector again.
wg.func @atomics(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %a: !ocl.ptr<i32, global> {ocl.name = "a"}) {
  %n = arith.constant 4 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<i32, global>
    %old = ocl.atomic_rmw add %p, %v : !ocl.ptr<i32, global>
    ocl.store %old, %a[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @atomics(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %a: !ocl.ptr<i32, global> {ocl.name = "a"}) {
// CHECK-NEXT:      %n = arith.constant 4 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      wg.parallel (%x, %y, %z) in (%n, %one, %one) step (4, 1, 1) {
// CHECK-NEXT:        %v = wg.load %a[%x] : !ocl.ptr<i32, global> -> vector<4xi32>
// CHECK-NEXT:        %0 = vector.extract %v[0] : i32 from vector<4xi32>
// CHECK-NEXT:        %old = ocl.atomic_rmw add %p, %0 : !ocl.ptr<i32, global>
// CHECK-NEXT:        %1 = vector.extract %v[1] : i32 from vector<4xi32>
// CHECK-NEXT:        %old_1 = ocl.atomic_rmw add %p, %1 : !ocl.ptr<i32, global>
// CHECK-NEXT:        %2 = vector.extract %v[2] : i32 from vector<4xi32>
// CHECK-NEXT:        %old_2 = ocl.atomic_rmw add %p, %2 : !ocl.ptr<i32, global>
// CHECK-NEXT:        %3 = vector.extract %v[3] : i32 from vector<4xi32>
// CHECK-NEXT:        %old_3 = ocl.atomic_rmw add %p, %3 : !ocl.ptr<i32, global>
// CHECK-NEXT:        %4 = vector.broadcast %old : i32 to vector<4xi32>
// CHECK-NEXT:        %5 = vector.insert %old_1, %4 [1] : i32 into vector<4xi32>
// CHECK-NEXT:        %6 = vector.insert %old_2, %5 [2] : i32 into vector<4xi32>
// CHECK-NEXT:        %7 = vector.insert %old_3, %6 [3] : i32 into vector<4xi32>
// CHECK-NEXT:        wg.store %7, %a[%x] : vector<4xi32>, !ocl.ptr<i32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      wg.return
// CHECK-NEXT:    }

