// RUN: ocl-opt %s -p select-truths,remove-dead-values | filecheck %s

// Each is a selection of two sums: a neighbour that is clamped, or wrapped.
kernel void selected(global const float *in, global float *out, int n) {
  int x = get_global_id(0);
  int left = x - (x > 0);
  int right = x + 1;
  right -= (right >= n) * n;
  int other = x - 5;
  other += n & (other >> 31);
  int zero = (x - 3) * (x >= 3);
  out[x] = in[left] + in[right] + in[other] + in[zero];
}
// CHECK-LABEL: ocl.kernel @selected
// CHECK:         %[[POSITIVE:.*]] = arith.cmpi sgt, %x, %{{.*}} : i32
// CHECK:         %[[LESS:.*]] = arith.subi %x, %{{.*}} : i32
// CHECK-NEXT:    %left = arith.select %[[POSITIVE]], %[[LESS]], %x : i32
// CHECK:         %[[OUTSIDE:.*]] = arith.cmpi sge, %right, %n : i32
// CHECK:         %[[WRAPPED:.*]] = arith.subi %right, %n : i32
// CHECK-NEXT:    %{{.*}} = arith.select %[[OUTSIDE]], %[[WRAPPED]], %right : i32
// CHECK:         %[[NEGATIVE:.*]] = arith.cmpi slt, %other, %{{.*}} : i32
// CHECK:         %[[MORE:.*]] = arith.addi %other, %n : i32
// CHECK-NEXT:    %{{.*}} = arith.select %[[NEGATIVE]], %[[MORE]], %other : i32
// CHECK:         %[[INSIDE:.*]] = arith.cmpi sge, %x, %{{.*}} : i32
// CHECK:         arith.select %[[INSIDE]], %{{.*}}, %{{.*}} : i32

// What is counted in a loop, or stored, is no address of its own.
kernel void kept(global const float *in, global int *out, int n) {
  int x = get_global_id(0), count = 0;
  for (int i = 0; i < n; i++) count += in[i] > in[x];
  out[count] = x + (x > n);
}
// CHECK-LABEL: ocl.kernel @kept
// CHECK-NOT:     arith.select
