// RUN: ocl-opt %s -p "wg-vectorize{width=4}" | filecheck %s
// RUN: ocl-opt %s -p "wg-vectorize{width=4 distinct=true}" | filecheck %s --check-prefix=DISTINCT

// Neighbouring elements of each work-item are loaded at once, and shuffled: here three bytes. Lanes
// of the row that fill its register are masked off.
// CHECK-LABEL: wg.func @channels
// CHECK:         [[ROW:%[0-9]+]] = wg.load %p[{{.*}}] : !ocl.ptr<i8, global> -> vector<12xi8>
// CHECK-NEXT:    vector.shuffle [[ROW]], [[ROW]] [0, 3, 6, 9]
// CHECK-NEXT:    vector.shuffle [[ROW]], [[ROW]] [1, 4, 7, 10]
// CHECK-NEXT:    vector.shuffle [[ROW]], [[ROW]] [2, 5, 8, 11]
// CHECK-NOT:     wg.load
wg.func @channels(%p: !ocl.ptr<i8, global> {ocl.name = "p"}, %q: !ocl.ptr<i8, global> {ocl.name = "q"}) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %n = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %i = arith.muli %x, %three : index
    %j = arith.addi %i, %one : index
    %k = arith.addi %i, %two : index
    %g = ocl.load %p[%j] : !ocl.ptr<i8, global>
    %r = ocl.load %p[%i] : !ocl.ptr<i8, global>
    %b = ocl.load %p[%k] : !ocl.ptr<i8, global>
    %s = arith.addi %r, %g : i8
    %t = arith.addi %s, %b : i8
    ocl.store %t, %q[%x] : !ocl.ptr<i8, global>
  }
  wg.return
}

// The second load reads what the store may have written, unless the parameters have buffers of their own.
// DISTINCT-LABEL: wg.func @written
// DISTINCT:         wg.load %p[{{.*}}] : !ocl.ptr<i8, global> -> vector<8xi8>
// DISTINCT-NOT:     wg.load
// DISTINCT:         wg.return
// CHECK-LABEL: wg.func @written
// CHECK:         wg.load
// CHECK:         wg.store
// CHECK:         wg.load
wg.func @written(%p: !ocl.ptr<i8, global> {ocl.name = "p"}, %q: !ocl.ptr<i8, global> {ocl.name = "q"}) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %n = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %i = arith.muli %x, %two : index
    %j = arith.addi %i, %one : index
    %a = ocl.load %p[%i] : !ocl.ptr<i8, global>
    ocl.store %a, %q[%x] : !ocl.ptr<i8, global>
    %b = ocl.load %p[%j] : !ocl.ptr<i8, global>
    ocl.store %b, %q[%x] : !ocl.ptr<i8, global>
  }
  wg.return
}

// Neighbouring elements that a work-item stores are written as one row by the last store.
// CHECK-LABEL: wg.func @pairs
// CHECK-NOT:     wg.store
// CHECK:         [[PAIRS:%[0-9]+]] = vector.shuffle {{.*}} [0, 4, 1, 5, 2, 6, 3, 7]
// CHECK:         wg.store [[PAIRS]], %q[{{.*}}] : vector<8xi8>, !ocl.ptr<i8, global>
// CHECK-NOT:     wg.store
wg.func @pairs(%p: !ocl.ptr<i8, global> {ocl.name = "p"}, %q: !ocl.ptr<i8, global> {ocl.name = "q"}) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %n = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %i = arith.muli %x, %two : index
    %j = arith.addi %i, %one : index
    %v = ocl.load %p[%x] : !ocl.ptr<i8, global>
    %w = arith.addi %v, %v : i8
    ocl.store %w, %q[%j] : !ocl.ptr<i8, global>
    ocl.store %v, %q[%i] : !ocl.ptr<i8, global>
  }
  wg.return
}

// What lies between is masked off. The load may read what the first store has written.
// CHECK-LABEL: wg.func @stored_and_read
// CHECK:         wg.store {{.*}} mask
// CHECK:         wg.load
// CHECK:         wg.store {{.*}} mask
wg.func @stored_and_read(%p: !ocl.ptr<i8, global> {ocl.name = "p"}, %q: !ocl.ptr<i8, global> {ocl.name = "q"}) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %n = arith.constant 64 : index
  %c = arith.constant 3 : i8
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %i = arith.muli %x, %two : index
    %j = arith.addi %i, %one : index
    ocl.store %c, %q[%j] : !ocl.ptr<i8, global>
    %v = ocl.load %p[%x] : !ocl.ptr<i8, global>
    ocl.store %v, %q[%i] : !ocl.ptr<i8, global>
  }
  wg.return
}

// Under a mask, the elements of lanes that are off are masked off, too.
// CHECK-LABEL: wg.func @some
// CHECK:         [[ON:%.+]] = vec.cmpi
// CHECK:         [[ACTIVE:%[0-9]+]] = vector.shuffle [[ON]], [[ON]] [0, 0, 1, 1, 2, 2, 3, 3] : vector<4xi1>, vector<4xi1>
// CHECK:         [[MASK:%[0-9]+]] = arith.andi [[ACTIVE]], %{{[0-9]+}} : vector<8xi1>
// CHECK:         wg.load %p[{{.*}}] mask [[MASK]] : vector<8xi1> : !ocl.ptr<i32, global> -> vector<8xi32>
// CHECK-NOT:     wg.gather
wg.func @some(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %q: !ocl.ptr<i32, global> {ocl.name = "q"}, %m: i32 {ocl.name = "m"}) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %n = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %id = arith.index_cast %x : index to i32
    %on = arith.cmpi slt, %id, %m : i32
    scf.if %on {
      %i = arith.muli %x, %two : index
      %a = ocl.load %p[%i] : !ocl.ptr<i32, global>
      ocl.store %a, %q[%x] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// Fields of a record are read at once though others are written in between, and these are written at once.
// CHECK-LABEL: wg.func @fields
// CHECK:         wg.load {{.*}} -> vector<16xf32>
// CHECK-NOT:     wg.load
// CHECK:         arith.addf
// CHECK:         arith.mulf
// CHECK:         wg.store {{.*}} mask {{.*}} : vector<12xf32>
// CHECK-NOT:     wg.store
wg.func @fields(%p: !ocl.ptr<!ocl.struct<"body", {x: f32, y: f32, m: f32}>, global> {ocl.name = "p"}) {
  %one = arith.constant 1 : index
  %n = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %body = ocl.offset %p[%x] : !ocl.ptr<!ocl.struct<"body", {x: f32, y: f32, m: f32}>, global>
    %px = ocl.member %body["x"] : !ocl.ptr<!ocl.struct<"body", {x: f32, y: f32, m: f32}>, global> -> !ocl.ptr<f32, global>
    %py = ocl.member %body["y"] : !ocl.ptr<!ocl.struct<"body", {x: f32, y: f32, m: f32}>, global> -> !ocl.ptr<f32, global>
    %pm = ocl.member %body["m"] : !ocl.ptr<!ocl.struct<"body", {x: f32, y: f32, m: f32}>, global> -> !ocl.ptr<f32, global>
    %v = ocl.load %px : !ocl.ptr<f32, global>
    %m = ocl.load %pm : !ocl.ptr<f32, global>
    %sum = arith.addf %v, %m : f32
    ocl.store %sum, %px : !ocl.ptr<f32, global>
    %w = ocl.load %py : !ocl.ptr<f32, global>
    %product = arith.mulf %w, %m : f32
    ocl.store %product, %py : !ocl.ptr<f32, global>
  }
  wg.return
}

// One is read again that was written.
// CHECK-LABEL: wg.func @read_again
// CHECK:         wg.load
// CHECK:         wg.store
// CHECK:         wg.load
wg.func @read_again(%p: !ocl.ptr<f32, global> {ocl.name = "p"}) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %n = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %i = arith.muli %x, %two : index
    %j = arith.addi %i, %one : index
    %a = ocl.load %p[%i] : !ocl.ptr<f32, global>
    ocl.store %a, %p[%j] : !ocl.ptr<f32, global>
    %b = ocl.load %p[%j] : !ocl.ptr<f32, global>
    ocl.store %b, %p[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// So are those of neighbours in the opposite order: a row that is turned around.
// CHECK-LABEL: wg.func @backwards
// CHECK:         [[PIXELS:%[0-9]+]] = wg.load %p[{{.*}}] : !ocl.ptr<i8, global> -> vector<12xi8>
// CHECK-NEXT:    [[LOW:%.*]] = vector.shuffle [[PIXELS]], [[PIXELS]] [9, 6, 3, 0]
// CHECK-NEXT:    vector.shuffle [[PIXELS]], [[PIXELS]] [10, 7, 4, 1]
// CHECK-NEXT:    vector.shuffle [[PIXELS]], [[PIXELS]] [11, 8, 5, 2]
// CHECK:         [[TURNED:%[0-9]+]] = vector.shuffle {{.*}} [3, 2, 1, 0]
// CHECK-NEXT:    [[APART:%[0-9]+]] = vector.shuffle [[TURNED]], [[TURNED]] [0, 0, 1, 1, 2, 2, 3, 3]
// CHECK:         wg.store [[APART]], %q[{{.*}}] mask
// CHECK-NOT:     wg.gather
// CHECK-NOT:     wg.scatter
wg.func @backwards(%p: !ocl.ptr<i8, global> {ocl.name = "p"}, %q: !ocl.ptr<i8, global> {ocl.name = "q"}) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %n = arith.constant 64 : index
  %m = arith.constant 63 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %back = arith.subi %m, %x : index
    %i = arith.muli %back, %three : index
    %j = arith.addi %i, %one : index
    %k = arith.addi %i, %two : index
    %g = ocl.load %p[%j] : !ocl.ptr<i8, global>
    %r = ocl.load %p[%i] : !ocl.ptr<i8, global>
    %b = ocl.load %p[%k] : !ocl.ptr<i8, global>
    %s = arith.addi %r, %g : i8
    %t = arith.addi %s, %b : i8
    %to = arith.muli %back, %two : index
    ocl.store %t, %q[%to] : !ocl.ptr<i8, global>
  }
  wg.return
}
