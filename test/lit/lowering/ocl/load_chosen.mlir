// RUN: ocl-opt %s -p load-chosen | filecheck %s

// The counter chooses an element: it is loaded from its place, and the vector is not.
ocl.kernel @choice(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = ocl.global_id 0 : index
  scf.for %k = %c0 to %c2 step %c1 {
    %v = ocl.vload %in[%i] : !ocl.ptr<f32, global> -> vector<2xf32>
    %is_first = arith.cmpi eq, %k, %c0 : index
    %x = vector.extract %v[0] : f32 from vector<2xf32>
    %y = vector.extract %v[1] : f32 from vector<2xf32>
    %e = arith.select %is_first, %x, %y : f32
    ocl.store %e, %out[%i] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @choice(
// CHECK:         scf.for %k
// CHECK-NOT:       ocl.vload
// CHECK:           %[[TWO:.*]] = arith.constant 2 : index
// CHECK-NEXT:      %[[FIRST:.*]] = arith.muli %i, %[[TWO]] : index
// CHECK-NEXT:      %[[AT:.*]] = arith.addi %[[FIRST]], %k : index
// CHECK-NEXT:      %e = ocl.load %in[%[[AT]]] : !ocl.ptr<f32, global>
// CHECK-NEXT:      ocl.store %e

// A pointer to vectors of three elements, which lie as those of four; the counter is compared as i32.
ocl.kernel @three(%in: !ocl.ptr<vector<3xf32>, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %two = arith.constant 2 : i32
  %i = ocl.global_id 0 : index
  scf.for %k = %c1 to %c3 step %c1 {
    %n = arith.index_cast %k : index to i32
    %v = ocl.load %in[%i] : !ocl.ptr<vector<3xf32>, global>
    %is_less = arith.cmpi slt, %n, %two : i32
    %x = vector.extract %v[0] : f32 from vector<3xf32>
    %y = vector.extract %v[1] : f32 from vector<3xf32>
    %e = arith.select %is_less, %x, %y : f32
    ocl.store %e, %out[%i] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @three(
// CHECK:           %[[ELEMENTS:.*]] = ocl.cast %in : !ocl.ptr<vector<3xf32>, global> to !ocl.ptr<f32, global>
// CHECK-NEXT:      %[[LESS:.*]] = arith.constant -1 : index
// CHECK-NEXT:      %[[PLACE:.*]] = arith.addi %k, %[[LESS]] : index
// CHECK-NEXT:      %[[FOUR:.*]] = arith.constant 4 : index
// CHECK-NEXT:      %[[FIRST:.*]] = arith.muli %i, %[[FOUR]] : index
// CHECK-NEXT:      %[[AT:.*]] = arith.addi %[[FIRST]], %[[PLACE]] : index
// CHECK-NEXT:      %e = ocl.load %[[ELEMENTS]][%[[AT]]]

// The vector is loaded before the loop, which may write to it: it stays.
ocl.kernel @written(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = ocl.global_id 0 : index
  %v = ocl.vload %in[%i] : !ocl.ptr<f32, global> -> vector<2xf32>
  scf.for %k = %c0 to %c2 step %c1 {
    %is_first = arith.cmpi eq, %k, %c0 : index
    %x = vector.extract %v[0] : f32 from vector<2xf32>
    %y = vector.extract %v[1] : f32 from vector<2xf32>
    %e = arith.select %is_first, %x, %y : f32
    ocl.store %e, %out[%i] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @written(
// CHECK:         ocl.vload
// CHECK:           arith.select
