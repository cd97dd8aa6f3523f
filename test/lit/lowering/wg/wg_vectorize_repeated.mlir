// RUN: ocl-opt %s -p "wg-vectorize{width=4}" | filecheck %s

// Two neighbours share an element: where the first lane's number is a multiple of the lanes and not
// negative, two elements are loaded and repeated; else (a launch may have an offset) they are gathered.
// CHECK-LABEL: wg.func @half
// CHECK:         arith.constant -2147483645 : i32
// CHECK-NEXT:    [[BITS:%.+]] = arith.andi %{{.*}}, %{{.*}} : i32
// CHECK:         [[WHOLE:%.+]] = arith.cmpi eq, [[BITS]], %{{.*}} : i32
// CHECK:         scf.if [[WHOLE]] -> (vector<4xf32>) {
// CHECK-NEXT:      [[HALF:%.+]] = arith.divsi %{{.*}}, %{{.*}} : i32
// CHECK-NEXT:      [[WIDE:%.+]] = arith.index_cast [[HALF]] : i32 to index
// CHECK-NEXT:      [[AT:%.+]] = arith.addi %{{.*}}, [[WIDE]] : index
// CHECK-NEXT:      [[ROW:%.+]] = wg.load %p[[[AT]]] : !ocl.ptr<f32, global> -> vector<2xf32>
// CHECK-NEXT:      [[ALL:%.+]] = vector.shuffle [[ROW]], [[ROW]] [0, 0, 1, 1]
// CHECK-NEXT:      scf.yield [[ALL]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      wg.gather
wg.func @half(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %q: !ocl.ptr<f32, global> {ocl.name = "q"}) {
  %one = arith.constant 1 : index
  %n = arith.constant 64 : index
  %two = arith.constant 2 : i32
  %g = ocl.group_id 0 : index
  %start = arith.muli %g, %n : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %i = arith.addi %start, %x : index
    %id = arith.index_cast %i : index to i32
    %h = arith.divsi %id, %two : i32
    %wide = arith.index_cast %h : i32 to index
    %at = arith.addi %start, %wide : index
    %a = ocl.load %p[%at] : !ocl.ptr<f32, global>
    ocl.store %a, %q[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

// Not by three, and not under a mask.
// CHECK-LABEL: wg.func @others
// CHECK-NOT:     vector.shuffle
// CHECK:         wg.return
wg.func @others(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %q: !ocl.ptr<f32, global> {ocl.name = "q"}, %m: i32 {ocl.name = "m"}) {
  %one = arith.constant 1 : index
  %n = arith.constant 64 : index
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %id = arith.index_cast %x : index to i32
    %third = arith.divsi %id, %three : i32
    %wide = arith.index_cast %third : i32 to index
    %a = ocl.load %p[%wide] : !ocl.ptr<f32, global>
    ocl.store %a, %q[%x] : !ocl.ptr<f32, global>
    %on = arith.cmpi slt, %id, %m : i32
    scf.if %on {
      %h = arith.divsi %id, %two : i32
      %half = arith.index_cast %h : i32 to index
      %b = ocl.load %p[%half] : !ocl.ptr<f32, global>
      ocl.store %b, %q[%x] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// Lanes have the elements of each other, in the tile that the distance leads to: that row is loaded, and
// pairs of lanes, pairs of pairs and so on change places where the distance has such a bit.
// CHECK-LABEL: wg.func @partners
// CHECK:         scf.if %{{.*}} -> (vector<4xf32>) {
// CHECK-NEXT:      [[SUM:%.+]] = arith.xori %{{.*}}, %{{.*}} : index
// CHECK:           [[TILE:%.+]] = arith.andi [[SUM]], %{{.*}} : index
// CHECK-NEXT:      [[ROW:%.+]] = wg.load %p[[[TILE]]] : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:      [[ONE:%.+]] = vector.shuffle [[ROW]], [[ROW]] [1, 0, 3, 2]
// CHECK:           [[FIRST:%.+]] = arith.select %{{.*}}, [[ONE]], [[ROW]] : vector<4xf32>
// CHECK-NEXT:      [[TWO:%.+]] = vector.shuffle [[FIRST]], [[FIRST]] [2, 3, 0, 1]
// CHECK:           arith.select %{{.*}}, [[TWO]], [[FIRST]] : vector<4xf32>
// CHECK:         } else {
// CHECK-NEXT:      wg.gather
wg.func @partners(%p: !ocl.ptr<f32, global> {ocl.name = "p"}, %q: !ocl.ptr<f32, global> {ocl.name = "q"}) {
  %j = ocl.group_id 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 64 : index
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %at = arith.xori %x, %j : index
    %a = ocl.load %p[%at] : !ocl.ptr<f32, global>
    ocl.store %a, %q[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}
