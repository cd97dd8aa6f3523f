// RUN: ocl-opt %s -p promote-private-arrays | filecheck %s

// The distances to the neighbours are known, once the loop is unrolled.
ocl.constant @dx : !ocl.array<2 x i32> = [0 : i32, -1 : i32]
ocl.constant @weights : !ocl.array<2 x f32> = [0.5 : f32, 2.0 : f32]
ocl.kernel @distances(%in: !ocl.ptr<i32, global> {ocl.name = "in"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %table = ocl.address_of @dx : !ocl.ptr<!ocl.array<2 x i32>, constant>
    %first = ocl.cast %table : !ocl.ptr<!ocl.array<2 x i32>, constant> to !ocl.ptr<i32, constant>
    %d = ocl.load %first[%i] : !ocl.ptr<i32, constant>
    %at = arith.index_cast %d : i32 to index
    ocl.store %d, %in[%at] : !ocl.ptr<i32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @distances
// CHECK-NOT:     scf.for
// CHECK:         %[[D:.*]] = arith.constant -1 : i32
// CHECK-NEXT:    %[[AT:.*]] = arith.index_cast %[[D]] : i32 to index
// CHECK-NEXT:    ocl.store %[[D]], %in[%[[AT]]] : !ocl.ptr<i32, global>

// A table of floats is no reason to unroll a loop; of what is known, the number is taken.
ocl.kernel @floats(%out: !ocl.ptr<f32, global> {ocl.name = "out"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %table = ocl.address_of @weights : !ocl.ptr<!ocl.array<2 x f32>, constant>
  %first = ocl.cast %table : !ocl.ptr<!ocl.array<2 x f32>, constant> to !ocl.ptr<f32, constant>
  %last = ocl.load %first[%c1] : !ocl.ptr<f32, constant>
  ocl.store %last, %out : !ocl.ptr<f32, global>
  scf.for %i = %c0 to %c2 step %c1 {
    %v = ocl.load %first[%i] : !ocl.ptr<f32, constant>
    ocl.store %v, %out[%i] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @floats
// CHECK:         %[[LAST:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    ocl.store %[[LAST]], %out : !ocl.ptr<f32, global>
// CHECK:         scf.for

// Vectors of distances, too: each component that is read is a number.
ocl.constant @off : !ocl.array<2 x vector<2xi32>> = [[0 : i32, -1 : i32], [1 : i32, 3 : i32]]
ocl.kernel @pairs(%in: !ocl.ptr<i32, global> {ocl.name = "in"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %table = ocl.address_of @off : !ocl.ptr<!ocl.array<2 x vector<2xi32>>, constant>
    %first = ocl.cast %table : !ocl.ptr<!ocl.array<2 x vector<2xi32>>, constant> to !ocl.ptr<vector<2xi32>, constant>
    %d = ocl.load %first[%i] : !ocl.ptr<vector<2xi32>, constant>
    %y = vector.extract %d[1] : i32 from vector<2xi32>
    %at = arith.index_cast %y : i32 to index
    ocl.store %y, %in[%at] : !ocl.ptr<i32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @pairs
// CHECK-NOT:     ocl.load
// CHECK:         %[[D:.*]] = arith.constant 3 : i32
// CHECK-NEXT:    %[[AT:.*]] = arith.index_cast %[[D]] : i32 to index
// CHECK-NEXT:    ocl.store %[[D]], %in[%[[AT]]] : !ocl.ptr<i32, global>
