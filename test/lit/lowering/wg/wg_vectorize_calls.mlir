// RUN: ocl-opt %s -p "wg-vectorize{width=4 dim=0}" | filecheck %s

// A function becomes one of vectors, for each way in which its arguments are passed. The pointer to
// private memory is one pointer to the elements of all lanes; `%by` is the same for all lanes.
// CHECK:      func.func private @update.x4(%a: !ocl.ptr<i32, private>, %x: vector<4xi32>, %by: i32, %mask: vector<4xi1>) {
// CHECK:        wg.load %a{{.*}} mask %mask : vector<4xi1> : !ocl.ptr<i32, private> -> vector<4xi32>
// CHECK:        wg.store %{{.*}}, %a{{.*}} mask %mask : vector<4xi1> : vector<4xi32>, !ocl.ptr<i32, private>
// CHECK-NEXT:   func.return

// What reads and writes nothing needs no mask.
// CHECK:      func.func private @square.x4(%x: vector<4xi32>) -> vector<4xi32> {
// CHECK-NEXT:   %y = arith.muli %x, %x : vector<4xi32>
// CHECK-NEXT:   func.return %y : vector<4xi32>

// CHECK:      wg.func @k
// CHECK:        wg.parallel {{.*}} step (4, 1, 1)
// CHECK:        [[ANY:%.+]] = wg.any_lane [[ON:%.+]] : vector<4xi1>
// CHECK:        scf.if [[ANY]] {
// CHECK-NEXT:     [[S:%.+]] = func.call @square.x4(%{{.*}}) : (vector<4xi32>) -> vector<4xi32>
// CHECK-NEXT:     func.call @update.x4(%{{.*}}, [[S]], %n, [[ON]])
func.func private @update(%a: !ocl.ptr<i32, private>, %x: i32, %by: i32) {
  %c1 = arith.constant 1 : index
  %v = ocl.load %a[%c1] : !ocl.ptr<i32, private>
  %w = arith.muli %v, %by : i32
  %s = arith.addi %w, %x : i32
  ocl.store %s, %a[%c1] : !ocl.ptr<i32, private>
  func.return
}
func.func private @square(%x: i32) -> i32 {
  %y = arith.muli %x, %x : i32
  func.return %y : i32
}
wg.func @k(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %n: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 8, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
    %zero = arith.constant 0 : i32
    %m = ocl.alloca : !ocl.ptr<!ocl.array<2 x i32>, private>
    %a = ocl.cast %m : !ocl.ptr<!ocl.array<2 x i32>, private> to !ocl.ptr<i32, private>
    ocl.store %zero, %a[%c1] : !ocl.ptr<i32, private>
    %v = ocl.load %p[%x] : !ocl.ptr<i32, global>
    %c = arith.cmpi slt, %v, %n : i32
    scf.if %c {
      %s = func.call @square(%v) : (i32) -> i32
      func.call @update(%a, %s, %n) : (!ocl.ptr<i32, private>, i32, i32) -> ()
    }
    %r = ocl.load %a[%c1] : !ocl.ptr<i32, private>
    ocl.store %r, %p[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// A vector of OpenCL C is returned as one vector for each of its elements.
// CHECK:      func.func private @turned.x4(%v: vector<4xf32>, %v_1: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
// CHECK-NEXT:   func.return %v_1, %v : vector<4xf32>, vector<4xf32>
// CHECK:      wg.func @pairs
// CHECK:        %{{.*}}, %{{.*}} = func.call @turned.x4(%{{.*}}, %{{.*}}) : (vector<4xf32>, vector<4xf32>) -> (vector<4xf32>, vector<4xf32>)
func.func private @turned(%v: vector<2xf32>) -> vector<2xf32> {
  %r = vector.shuffle %v, %v [1, 0] : vector<2xf32>, vector<2xf32>
  func.return %r : vector<2xf32>
}
wg.func @pairs(%p: !ocl.ptr<vector<2xf32>, global> {ocl.name = "p"}) attributes {local_size = array<i64: 8, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  wg.parallel (%x, %y, %z) in (%c8, %c1, %c1) {
    %v = ocl.load %p[%x] : !ocl.ptr<vector<2xf32>, global>
    %r = func.call @turned(%v) : (vector<2xf32>) -> vector<2xf32>
    ocl.store %r, %p[%x] : !ocl.ptr<vector<2xf32>, global>
  }
  wg.return
}
