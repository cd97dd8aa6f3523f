// RUN: ocl-opt %s -p wg-order-tables --split-input-file | filecheck %s
// RUN: ocl-opt %s -p wg-order-tables --remarks --split-input-file 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Work-item x reads element 3 * x % 4 + 1: the new table has these elements in the order of the work-items.
// CHECK: ocl.constant @t : !ocl.array<5 x i32>
// CHECK: ocl.constant @ordered_0 : !ocl.array<4 x i32> = [11 : i32, 14 : i32, 13 : i32, 12 : i32]
// CHECK-LABEL: wg.func @numbers
// CHECK:         [[A:%.*]] = ocl.address_of @ordered_0
// CHECK:         [[T:%.*]] = ocl.cast [[A]] : !ocl.ptr<!ocl.array<4 x i32>, constant> to !ocl.ptr<i32, constant>
// CHECK:         wg.parallel (%x, %y, %z)
// CHECK-NEXT:      [[V:%.*]] = ocl.load [[T]][%x] : !ocl.ptr<i32, constant>
// CHECK-NEXT:      ocl.store [[V]], %out[%x]
// REMARK: wg_order_tables.mlir:{{.*}}: remark: loads from tables in the order of work-items: 1 [wg-order-tables]
ocl.constant @t : !ocl.array<5 x i32> = [10 : i32, 11 : i32, 12 : i32, 13 : i32, 14 : i32]
wg.func @numbers(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 4, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %0 = ocl.address_of @t : !ocl.ptr<!ocl.array<5 x i32>, constant>
  %t = ocl.cast %0 : !ocl.ptr<!ocl.array<5 x i32>, constant> to !ocl.ptr<i32, constant>
  wg.parallel (%x, %y, %z) in (%c4, %c1, %c1) {
    %a = arith.muli %x, %c3 : index
    %b = arith.remui %a, %c4 : index
    %i = arith.addi %b, %c1 : index
    %v = ocl.load %t[%i] : !ocl.ptr<i32, constant>
    ocl.store %v, %out[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// -----

// Components that are used one by one have a table each. The work-item with place 2 * y + x reads element 2 * x + y; a
// guard keeps the last one from reading outside: it would read any element.
// CHECK: ocl.constant @ordered_0 : !ocl.array<4 x f32> = [1.000000e+00 : f32, 3.000000e+00 : f32, 2.000000e+00 : f32, 1.000000e+00 : f32]
// CHECK-LABEL: wg.func @components
// CHECK:         wg.parallel (%x, %y, %z)
// CHECK-NEXT:      [[C2:%.*]] = arith.constant 2 : index
// CHECK-NEXT:      [[ROW:%.*]] = arith.muli %y, [[C2]] : index
// CHECK-NEXT:      [[PLACE:%.*]] = arith.addi %x, [[ROW]] : index
// CHECK:           ocl.load {{%.*}}{{\[}}[[PLACE]]] : !ocl.ptr<f32, constant>
ocl.constant @t : !ocl.array<3 x vector<2xf32>> = [[1.0 : f32, 9.0 : f32], [2.0 : f32, 9.0 : f32], [3.0 : f32, 9.0 : f32]]
wg.func @components(%out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 2, 2, 1>} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = ocl.address_of @t : !ocl.ptr<!ocl.array<3 x vector<2xf32>>, constant>
  %t = ocl.cast %0 : !ocl.ptr<!ocl.array<3 x vector<2xf32>>, constant> to !ocl.ptr<vector<2xf32>, constant>
  wg.parallel (%x, %y, %z) in (%c2, %c2, %c1) {
    %a = arith.muli %x, %c2 : index
    %i = arith.addi %a, %y : index
    %in = arith.cmpi ult, %i, %c3 : index
    scf.if %in {
      %v = ocl.load %t[%i] : !ocl.ptr<vector<2xf32>, constant>
      %first = vector.extract %v[0] : f32 from vector<2xf32>
      ocl.store %first, %out[%i] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// -----

// These stay: neighbours read adjacent elements, or the same one, or the index depends on the group.
// CHECK-NOT: ocl.constant @ordered
// CHECK-LABEL: wg.func @kept
ocl.constant @t : !ocl.array<9 x i32> = [0 : i32, 1 : i32, 2 : i32, 3 : i32, 4 : i32, 5 : i32, 6 : i32, 7 : i32, 8 : i32]
wg.func @kept(%out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 4, 1, 1>} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %g = ocl.group_id 0 : index
  %0 = ocl.address_of @t : !ocl.ptr<!ocl.array<9 x i32>, constant>
  %t = ocl.cast %0 : !ocl.ptr<!ocl.array<9 x i32>, constant> to !ocl.ptr<i32, constant>
  wg.parallel (%x, %y, %z) in (%c4, %c1, %c1) {
    %next = arith.addi %x, %c1 : index
    %a = ocl.load %t[%next] : !ocl.ptr<i32, constant>
    %b = ocl.load %t[%c2] : !ocl.ptr<i32, constant>
    %twice = arith.muli %x, %c2 : index
    %of_group = arith.addi %twice, %g : index
    %c = ocl.load %t[%of_group] : !ocl.ptr<i32, constant>
    %d = arith.addi %a, %b : i32
    %e = arith.addi %d, %c : i32
    ocl.store %e, %out[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}
