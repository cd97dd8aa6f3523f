// RUN: ocl-opt %s -p wg-update-in-turn | filecheck %s
// RUN: ocl-opt %s -p "wg-update-in-turn{together=true}" | filecheck %s --check-prefix TOGETHER

// Lanes may add to the same element: they do so one after the other, in a loop that LLVM leaves
// alone (`ocl.unroll` of -3).
// CHECK-LABEL: func.func @some(
// TOGETHER-LABEL: func.func @some(
func.func @some(%n: i32, %p: !ocl.ptr<i32, local>, %at: vector<16xindex>, %m: vector<16xi1>) {
  // CHECK:      %[[OWN:.*]] = ocl.cast %{{.*}} : !ocl.ptr<!ocl.array<16 x i64>, private> to !ocl.ptr<i64, private>
  // CHECK:      wg.store %{{.*}}, %[[OWN]][%{{.*}}] : vector<16xi64>, !ocl.ptr<i64, private>
  // CHECK-NEXT: %[[ON:.*]] = wg.lane_bits %m : vector<16xi1>
  // CHECK-NEXT: %{{.*}} = scf.while (%[[L:.*]] = %[[ON]]) : (i64) -> i64 {
  // CHECK:        arith.cmpi ne, %[[L]], %{{.*}} : i64
  // CHECK:      } do {
  // CHECK-NEXT: ^bb0(%[[LEFT:.*]]: i64):
  // CHECK-NEXT:   %[[BIT:.*]] = math.cttz %[[LEFT]] : i64
  // CHECK-NEXT:   %[[LANE:.*]] = arith.index_cast %[[BIT]] : i64 to index
  // CHECK-NEXT:   ocl.load %[[OWN]][%[[LANE]]]
  // CHECK:        %[[OLD:.*]] = ocl.load %[[PLACE:.*]] : !ocl.ptr<i32, local>
  // CHECK-NEXT:   %[[NEW:.*]] = arith.addi %[[OLD]], %n : i32
  // CHECK-NEXT:   ocl.store %[[NEW]], %[[PLACE]] : !ocl.ptr<i32, local>
  // CHECK:        arith.andi %[[LEFT]], %{{.*}} : i64
  // CHECK:      } attributes {ocl.unroll = -3 : i32}
  // With `together` the processor finds the lanes that share an element.
  // TOGETHER-NEXT: wg.update add %n, %p[%at]
  wg.update add %n, %p[%at] mask %m : vector<16xi1> : i32, vector<16xindex>, !ocl.ptr<i32, local>
  func.return
}

// All lanes, more of them than the processor compares.
// CHECK-LABEL: func.func @all(
// CHECK: %[[ON:.*]] = arith.constant 4294967295 : i64
// CHECK: scf.while (%{{.*}} = %[[ON]])
// TOGETHER-LABEL: func.func @all(
// TOGETHER: scf.while
func.func @all(%n: i32, %p: !ocl.ptr<i32, local>, %at: vector<32xindex>) {
  wg.update add %n, %p[%at] stride 8 : i64 : i32, vector<32xindex>, !ocl.ptr<i32, local>
  func.return
}
