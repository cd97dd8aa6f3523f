// RUN: ocl-opt %s -p "wg-vectorize{width=16}" | filecheck %s

// Ids of 64 bits are compared with a number of the group by how far that is from the first lane.
wg.func @short(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %n: i64 {ocl.name = "n"}, %s: i32 {ocl.name = "s"}) {
  %lx = arith.constant 64 : index
  %one = arith.constant 1 : index
  %bound = arith.index_cast %n : i64 to index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %c = arith.cmpi ult, %x, %bound : index
    scf.if %c {
      ocl.store %s, %a[%x] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @short(
// CHECK:         %[[BEYOND:.*]] = arith.addi %x, %{{.*}} : index
// CHECK:         %[[END:.*]] = arith.minui %bound, %[[BEYOND]] : index
// CHECK:         %[[DISTANCE:.*]] = arith.subi %[[END]], %x : index
// CHECK:         %[[BEFORE:.*]] = arith.cmpi ult, %bound, %x : index
// CHECK:         arith.select %[[BEFORE]], %{{.*}}, %[[DISTANCE]] : index
// CHECK:         vec.cmpi slt, %{{.*}}, %{{.*}} : vector<16xi32>

// A difference may be negative, so that the numbers wrap where they are compared as unsigned.
wg.func @wraps(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %n: i64 {ocl.name = "n"}, %s: i32 {ocl.name = "s"}) {
  %lx = arith.constant 64 : index
  %one = arith.constant 1 : index
  %bound = arith.index_cast %n : i64 to index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %before = arith.subi %x, %one : index
    %c = arith.cmpi ult, %before, %bound : index
    scf.if %c {
      ocl.store %s, %a[%x] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @wraps(
// CHECK:         vec.cmpi ult, %{{.*}}, %{{.*}} : vector<16xindex>

// The distance of numbers of 32 bits does not overflow: it is clamped.
wg.func @near(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %n: i32 {ocl.name = "n"}, %s: i32 {ocl.name = "s"}) {
  %lx = arith.constant 64 : index
  %one = arith.constant 1 : index
  %bound = arith.index_cast %n : i32 to index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %c = arith.cmpi slt, %x, %bound : index
    scf.if %c {
      ocl.store %s, %a[%x] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @near(
// CHECK:         %[[DISTANCE:.*]] = arith.subi %bound, %x : index
// CHECK:         %[[END:.*]] = arith.minsi %[[DISTANCE]], %{{.*}} : index
// CHECK:         arith.maxsi %[[END]], %{{.*}} : index
// CHECK:         vec.cmpi slt, %{{.*}}, %{{.*}} : vector<16xi32>
