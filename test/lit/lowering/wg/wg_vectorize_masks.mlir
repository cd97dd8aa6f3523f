// RUN: ocl-opt %s -p "wg-vectorize{width=4 masks=false}" | filecheck %s
// RUN: ocl-opt %s -p "wg-vectorize{width=4}" | filecheck %s --check-prefix=MASKS

// MASKS: wg.store %{{.*}} mask
// A processor that stores slowly under masks: all elements are written, those of work-items that do
// not take the branch with what was read.
wg.func @owned(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %s: i32 {ocl.name = "s"}) {
  %lx = arith.constant 8 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<i32, global>
    %c = arith.cmpi slt, %v, %s : i32
    scf.if %c {
      ocl.store %s, %a[%x] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// Another work-item may write what this one has not accessed.
wg.func @not_read(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %b: !ocl.ptr<i32, global> {ocl.name = "b"}, %s: i32 {ocl.name = "s"}) {
  %lx = arith.constant 8 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %v = ocl.load %b[%x] : !ocl.ptr<i32, global>
    %c = arith.cmpi slt, %v, %s : i32
    scf.if %c {
      ocl.store %s, %a[%x] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// On the other side of the branch the element was written by those who are off here.
wg.func @other_side(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %s: i32 {ocl.name = "s"}) {
  %lx = arith.constant 8 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<i32, global>
    %c = arith.cmpi slt, %v, %s : i32
    scf.if %c {
      ocl.store %s, %a[%x] : !ocl.ptr<i32, global>
    } else {
      ocl.store %v, %a[%x] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// What the loop wrote in an iteration before is no longer what was read.
wg.func @in_loop(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %s: i32 {ocl.name = "s"}) {
  %lx = arith.constant 8 : index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<i32, global>
    scf.for %i = %zero to %lx step %one {
      %n = arith.index_cast %i : index to i32
      %c = arith.cmpi slt, %v, %n : i32
      scf.if %c {
        ocl.store %n, %a[%x] : !ocl.ptr<i32, global>
      }
    }
  }
  wg.return
}

// Work-items may tell each other by the counter who writes the element: one operation for all lanes,
// of which each gets what the lanes before it have added.
wg.func @ordered(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %n: !ocl.ptr<i32, global> {ocl.name = "n"}, %s: i32 {ocl.name = "s"}) {
  %lx = arith.constant 8 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<i32, global>
    %o = ocl.atomic_rmw add %n, %s : !ocl.ptr<i32, global>
    %c = arith.cmpi slt, %v, %o : i32
    scf.if %c {
      ocl.store %s, %a[%x] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @owned(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %s: i32 {ocl.name = "s"}) {
// CHECK-NEXT:        %lx = arith.constant 8 : index
// CHECK-NEXT:        %one = arith.constant 1 : index
// CHECK-NEXT:        wg.parallel (%x, %y, %z) in (%lx, %one, %one) step (4, 1, 1) {
// CHECK-NEXT:          %0 = vector.broadcast %s : i32 to vector<4xi32>
// CHECK-NEXT:          %1 = vector.broadcast %s : i32 to vector<4xi32>
// CHECK-NEXT:          %v = wg.load %a[%x] : !ocl.ptr<i32, global> -> vector<4xi32>
// CHECK-NEXT:          %c = vec.cmpi slt, %v, %1 : vector<4xi32>
// CHECK-NEXT:          %2 = wg.any_lane %c : vector<4xi1>
// CHECK-NEXT:          scf.if %2 {
// CHECK-NEXT:            %3 = vec.select %c, %0, %v : vector<4xi1>, vector<4xi32>
// CHECK-NEXT:            wg.store %3, %a[%x] : vector<4xi32>, !ocl.ptr<i32, global>
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:        wg.return
// CHECK-NEXT:      }
// CHECK-LABEL: wg.func @not_read(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %b: !ocl.ptr<i32, global> {ocl.name = "b"}, %s: i32 {ocl.name = "s"}) {
// CHECK-NEXT:        %lx = arith.constant 8 : index
// CHECK-NEXT:        %one = arith.constant 1 : index
// CHECK-NEXT:        wg.parallel (%x, %y, %z) in (%lx, %one, %one) step (4, 1, 1) {
// CHECK-NEXT:          %0 = vector.broadcast %s : i32 to vector<4xi32>
// CHECK-NEXT:          %v = wg.load %b[%x] : !ocl.ptr<i32, global> -> vector<4xi32>
// CHECK-NEXT:          %c = vec.cmpi slt, %v, %0 : vector<4xi32>
// CHECK-NEXT:          %1 = wg.any_lane %c : vector<4xi1>
// CHECK-NEXT:          scf.if %1 {
// CHECK-NEXT:            wg.store %0, %a[%x] mask %c : vector<4xi1> : vector<4xi32>, !ocl.ptr<i32, global>
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:        wg.return
// CHECK-NEXT:      }
// CHECK-LABEL: wg.func @other_side(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %s: i32 {ocl.name = "s"}) {
// CHECK-NEXT:        %lx = arith.constant 8 : index
// CHECK-NEXT:        %one = arith.constant 1 : index
// CHECK-NEXT:        wg.parallel (%x, %y, %z) in (%lx, %one, %one) step (4, 1, 1) {
// CHECK-NEXT:          %0 = vector.broadcast %s : i32 to vector<4xi32>
// CHECK-NEXT:          %1 = vector.broadcast %s : i32 to vector<4xi32>
// CHECK-NEXT:          %v = wg.load %a[%x] : !ocl.ptr<i32, global> -> vector<4xi32>
// CHECK-NEXT:          %c = vec.cmpi slt, %v, %1 : vector<4xi32>
// CHECK-NEXT:          %2 = wg.any_lane %c : vector<4xi1>
// CHECK-NEXT:          scf.if %2 {
// CHECK-NEXT:            %3 = vec.select %c, %0, %v : vector<4xi1>, vector<4xi32>
// CHECK-NEXT:            wg.store %3, %a[%x] : vector<4xi32>, !ocl.ptr<i32, global>
// CHECK-NEXT:          }
// CHECK-NEXT:          %4 = arith.constant dense<true> : vector<4xi1>
// CHECK-NEXT:          %5 = arith.xori %c, %4 : vector<4xi1>
// CHECK-NEXT:          %6 = wg.any_lane %5 : vector<4xi1>
// CHECK-NEXT:          scf.if %6 {
// CHECK-NEXT:            wg.store %v, %a[%x] mask %5 : vector<4xi1> : vector<4xi32>, !ocl.ptr<i32, global>
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:        wg.return
// CHECK-NEXT:      }
// CHECK-LABEL: wg.func @in_loop(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %s: i32 {ocl.name = "s"}) {
// CHECK-NEXT:        %lx = arith.constant 8 : index
// CHECK-NEXT:        %zero = arith.constant 0 : index
// CHECK-NEXT:        %one = arith.constant 1 : index
// CHECK-NEXT:        wg.parallel (%x, %y, %z) in (%lx, %one, %one) step (4, 1, 1) {
// CHECK-NEXT:          %v = wg.load %a[%x] : !ocl.ptr<i32, global> -> vector<4xi32>
// CHECK-NEXT:          scf.for %i = %zero to %lx step %one {
// CHECK-NEXT:            %n = arith.index_cast %i : index to i32
// CHECK-NEXT:            %0 = vector.broadcast %n : i32 to vector<4xi32>
// CHECK-NEXT:            %c = vec.cmpi slt, %v, %0 : vector<4xi32>
// CHECK-NEXT:            %1 = wg.any_lane %c : vector<4xi1>
// CHECK-NEXT:            scf.if %1 {
// CHECK-NEXT:              wg.store %0, %a[%x] mask %c : vector<4xi1> : vector<4xi32>, !ocl.ptr<i32, global>
// CHECK-NEXT:            }
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:        wg.return
// CHECK-NEXT:      }
// CHECK-LABEL: wg.func @ordered(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %n: !ocl.ptr<i32, global> {ocl.name = "n"}, %s: i32 {ocl.name = "s"}) {
// CHECK-NEXT:        %lx = arith.constant 8 : index
// CHECK-NEXT:        %one = arith.constant 1 : index
// CHECK-NEXT:        wg.parallel (%x, %y, %z) in (%lx, %one, %one) step (4, 1, 1) {
// CHECK-NEXT:          %0 = vector.broadcast %s : i32 to vector<4xi32>
// CHECK-NEXT:          %v = wg.load %a[%x] : !ocl.ptr<i32, global> -> vector<4xi32>
// CHECK-NEXT:          %1 = arith.constant 4 : i32
// CHECK-NEXT:          %2 = arith.muli %1, %s : i32
// CHECK-NEXT:          %3 = ocl.atomic_rmw add %n, %2 : !ocl.ptr<i32, global>
// CHECK-NEXT:          %4 = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
// CHECK-NEXT:          %5 = vector.broadcast %s : i32 to vector<4xi32>
// CHECK-NEXT:          %6 = arith.muli %4, %5 : vector<4xi32>
// CHECK-NEXT:          %7 = vector.broadcast %3 : i32 to vector<4xi32>
// CHECK-NEXT:          %8 = arith.addi %7, %6 : vector<4xi32>
// CHECK-NEXT:          %c = vec.cmpi slt, %v, %8 : vector<4xi32>
// CHECK-NEXT:          %9 = wg.any_lane %c : vector<4xi1>
// CHECK-NEXT:          scf.if %9 {
// CHECK-NEXT:            wg.store %0, %a[%x] mask %c : vector<4xi1> : vector<4xi32>, !ocl.ptr<i32, global>
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:        wg.return
// CHECK-NEXT:      }

// Where ids are compared, most often all lanes take the branch: then nothing is masked.
wg.func @guarded(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}, %m: i32 {ocl.name = "m"}) {
  %lx = arith.constant 8 : index
  %one = arith.constant 1 : index
  %n = arith.index_cast %m : i32 to index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %c = arith.cmpi slt, %x, %n : index
    scf.if %c {
      %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
      ocl.store %v, %b[%x] : !ocl.ptr<f32, global>
    }
    %w = ocl.load %a[%x] : !ocl.ptr<f32, global>
    scf.if %c {
      ocl.store %w, %b[%n] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @guarded
// CHECK:         %[[OFF:.*]] = wg.any_lane
// CHECK-NEXT:    scf.if %[[OFF]] {
// CHECK:           wg.load %a[%x] mask
// CHECK:           wg.store %{{.*}}, %b[%x] mask
// CHECK:         } else {
// CHECK-NEXT:      %[[V:.*]] = wg.load %a[%x] : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:      wg.store %[[V]], %b[%x] : vector<4xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:    }
// MASKS-LABEL: wg.func @guarded
// MASKS-NOT:     else

// Most groups run another version.
wg.func @rarely(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}, %m: i32 {ocl.name = "m"}) {
  %lx = arith.constant 8 : index
  %one = arith.constant 1 : index
  %n = arith.index_cast %m : i32 to index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %c = arith.cmpi slt, %x, %n : index
    scf.if %c {
      %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
      ocl.store %v, %b[%x] : !ocl.ptr<f32, global>
    }
    %w = ocl.load %a[%x] : !ocl.ptr<f32, global>
    scf.if %c {
      ocl.store %w, %b[%n] : !ocl.ptr<f32, global>
    }
  } attributes {wg.rare}
  wg.return
}

// CHECK-LABEL: wg.func @rarely
// CHECK-NOT:     else

// What numbers from memory decide is no guard.
wg.func @no_guard(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}, %s: f32 {ocl.name = "s"}) {
  %lx = arith.constant 8 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    %c = arith.cmpf olt, %v, %s : f32
    scf.if %c {
      ocl.store %v, %b[%x] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @no_guard
// CHECK-NOT:     else

// Bytes, for which there are no masks: those of lanes that are off are read, too, if all are in one
// page with that of a lane that is on. They may be behind the array.
// CHECK-LABEL: wg.func @bytes
// CHECK:         arith.constant 4095 : i64
// CHECK:         %[[ON:.*]] = wg.any_lane
// CHECK-NEXT:    %[[MAPPED:.*]] = arith.andi %{{.*}}, %[[ON]] : i1
// CHECK-NEXT:    scf.if %[[MAPPED]]
// CHECK-NEXT:      wg.load %a[%x] {wg.mapped} : !ocl.ptr<i8, global> -> vector<4xi8>
// CHECK:           wg.load %a[%x] mask
wg.func @bytes(%a: !ocl.ptr<i8, global> {ocl.name = "a"}, %b: !ocl.ptr<i8, global> {ocl.name = "b"}, %s: i8 {ocl.name = "s"}) {
  %lx = arith.constant 8 : index
  %one = arith.constant 1 : index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %v = ocl.load %b[%x] : !ocl.ptr<i8, global>
    %c = arith.cmpi slt, %v, %s : i8
    scf.if %c {
      %w = ocl.load %a[%x] : !ocl.ptr<i8, global>
      ocl.store %w, %b[%x] : !ocl.ptr<i8, global>
    }
  }
  wg.return
}
