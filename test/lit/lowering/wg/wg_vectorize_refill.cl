// RUN: ocl-opt %s -p "ocl-set-local-size{size=128,1,1},ocl-to-wg,index-arithmetic,widen-indices,wg-vectorize{both=true}" | filecheck %s
// RUN: ocl-opt %s -p "ocl-set-local-size{size=128,1,1},ocl-to-wg,index-arithmetic,widen-indices,wg-vectorize{both=true}" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix WHY

// Work-items leave the loop after different numbers of iterations. Beside the vectors that wait for their
// slowest lane there are 32 lanes that run for all 128 work-items: when half of them have left the loop,
// each of these takes the next work-item. The program measures which of the forms is faster.
// WHY: remark: so are lanes that take the next work-items
// CHECK-LABEL: wg.func @collatz(
// CHECK:       %[[ALL:.*]] = wg.choose 1
// CHECK-NEXT:  scf.if %[[ALL]] {
// CHECK-NEXT:    %[[VECTORS:.*]] = wg.choose 0 {wg.within}
// CHECK-NEXT:    scf.if %[[VECTORS]] {
// CHECK-NEXT:      wg.parallel {{.*}} step (16, 1, 1) {
// CHECK:         } else {
// CHECK:           ocl.store %{{.*}}, %[[TAKEN:taken.*]] : !ocl.ptr<i32, local>
// CHECK:           wg.parallel {{.*}} step (32, 1, 1) {
// Lanes that are not in the loop take a work-item each,
// CHECK:             scf.while
// CHECK:               %[[BITS:.*]] = math.ctpop %{{.*}} : i64
// CHECK:               ocl.atomic_rmw add %[[TAKEN]], %{{.*}} : !ocl.ptr<i32, local>
// CHECK:               math.ctpop %{{.*}} : vector<32xi32>
// and those that have one run until half of them have left the loop.
// CHECK:               %[[ON:.*]] = math.ctpop
// CHECK:               %[[HALF:.*]] = arith.shrui
// CHECK:               scf.while
// CHECK:                 %[[MORE:.*]] = arith.cmpi ugt, %{{.*}}, %[[HALF]] : i32
// CHECK-NEXT:            scf.condition(%[[MORE]])
// CHECK:         wg.parallel {{[^s]*}} {
kernel void collatz(global uint *out) {
  uint n = get_global_id(0) + 1, steps = 0;
  while (n != 1) {
    n = n & 1 ? 3 * n + 1 : n / 2;
    steps++;
  }
  out[get_global_id(0)] = steps;
}

// Not where a work-item has an array of its own: the next one would find it changed.
// CHECK-LABEL: wg.func @with_array(
// CHECK:       wg.choose 0
// CHECK-NOT:   wg.choose 1
// WHY-NOT: so are lanes that take
kernel void with_array(global uint *out) {
  uint last[8] = {0}, n = get_global_id(0) + 1, steps = 0;
  while (n != 1) {
    n = n & 1 ? 3 * n + 1 : n / 2;
    last[steps++ & 7] = n;
  }
  out[get_global_id(0)] = last[steps & 7];
}
