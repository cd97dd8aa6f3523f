// RUN: ocl-opt %s -p promote-private-arrays | filecheck %s
// RUN: ocl-opt %s -p promote-private-arrays --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// The loop is unrolled, since its counter is in an index; then each element is a value.
// REMARK: promote_private_arrays.mlir:[[# @LINE + 2]]:3: remark: 'sum' is in registers [promote-private-arrays]
ocl.kernel @k(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %a: f32 {ocl.name = "a"}) {
  %sum = ocl.alloca : !ocl.ptr<!ocl.array<2 x f32>, private>
  %p = ocl.cast %sum : !ocl.ptr<!ocl.array<2 x f32>, private> to !ocl.ptr<f32, private>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  ocl.store %a, %p[%c0] : !ocl.ptr<f32, private>
  ocl.store %a, %p[%c1] : !ocl.ptr<f32, private>
  ocl.barrier local
  scf.for %i = %c0 to %c2 step %c1 {
    %v = ocl.load %p[%i] : !ocl.ptr<f32, private>
    ocl.store %v, %in[%i] : !ocl.ptr<f32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @k
// CHECK-NOT:     ocl.alloca
// CHECK:         ocl.barrier local
// CHECK-NEXT:    %[[I:.*]] = arith.constant 0 : index
// CHECK-NEXT:    ocl.store %a, %in[%[[I]]] : !ocl.ptr<f32, global>
// CHECK-NEXT:    %[[J:.*]] = arith.constant 1 : index
// CHECK-NEXT:    ocl.store %a, %in[%[[J]]] : !ocl.ptr<f32, global>
// CHECK-NEXT:    ocl.return

// The index is not known.
ocl.kernel @unknown(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %a: f32 {ocl.name = "a"}) {
  %i = ocl.local_id 0 : index
  %sum = ocl.alloca : !ocl.ptr<!ocl.array<2 x f32>, private>
  %p = ocl.cast %sum : !ocl.ptr<!ocl.array<2 x f32>, private> to !ocl.ptr<f32, private>
  ocl.store %a, %p[%i] : !ocl.ptr<f32, private>
  ocl.barrier local
  ocl.return
}

// CHECK-LABEL: ocl.kernel @unknown
// CHECK:         ocl.alloca

// Vectors are elements, too; without a barrier, loops are unrolled up to 400 more operations.
ocl.kernel @vectors(%in: !ocl.ptr<vector<4xf32>, global> {ocl.name = "in"}, %a: vector<4xf32> {ocl.name = "a"}) {
  %one = arith.constant 1 : index
  %sum = ocl.alloca : !ocl.ptr<!ocl.array<2 x vector<4xf32>>, private>
  %p = ocl.cast %sum : !ocl.ptr<!ocl.array<2 x vector<4xf32>>, private> to !ocl.ptr<vector<4xf32>, private>
  ocl.store %a, %p[%one] : !ocl.ptr<vector<4xf32>, private>
  %b = ocl.load %p[%one] : !ocl.ptr<vector<4xf32>, private>
  ocl.store %b, %in : !ocl.ptr<vector<4xf32>, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @vectors
// CHECK-NOT:     ocl.alloca
// CHECK:         ocl.store %a, %in : !ocl.ptr<vector<4xf32>, global>

ocl.kernel @long(%in: !ocl.ptr<f32, global> {ocl.name = "in"}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 60 : index
  %sum = ocl.alloca : !ocl.ptr<!ocl.array<60 x f32>, private>
  %p = ocl.cast %sum : !ocl.ptr<!ocl.array<60 x f32>, private> to !ocl.ptr<f32, private>
  scf.for %i = %zero to %n step %one {
    %a = ocl.load %in[%i] : !ocl.ptr<f32, global>
    %b = arith.addf %a, %a : f32
    %c = arith.mulf %a, %b : f32
    %d = arith.mulf %c, %b : f32
    %e = arith.mulf %d, %c : f32
    %f = arith.mulf %e, %d : f32
    ocl.store %f, %p[%i] : !ocl.ptr<f32, private>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @long
// CHECK:         ocl.alloca

// Elements of one array are indices of the other, whose vectors are written by their elements.
ocl.kernel @indices(%in: !ocl.ptr<vector<2xf32>, global> {ocl.name = "in"}, %a: f32 {ocl.name = "a"}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %number = arith.constant 1 : i32
  %order = ocl.alloca : !ocl.ptr<!ocl.array<2 x i32>, private>
  %o = ocl.cast %order : !ocl.ptr<!ocl.array<2 x i32>, private> to !ocl.ptr<i32, private>
  %data = ocl.alloca : !ocl.ptr<!ocl.array<2 x vector<2xf32>>, private>
  %d = ocl.cast %data : !ocl.ptr<!ocl.array<2 x vector<2xf32>>, private> to !ocl.ptr<vector<2xf32>, private>
  ocl.store %number, %o : !ocl.ptr<i32, private>
  %n = ocl.load %o[%zero] : !ocl.ptr<i32, private>
  %i = arith.index_cast %n : i32 to index
  %v = ocl.load %in : !ocl.ptr<vector<2xf32>, global>
  ocl.store %v, %d[%i] : !ocl.ptr<vector<2xf32>, private>
  %p = ocl.offset %d[%one] : !ocl.ptr<vector<2xf32>, private>
  %y = ocl.cast %p : !ocl.ptr<vector<2xf32>, private> to !ocl.ptr<f32, private>
  ocl.store %a, %y[%one] : !ocl.ptr<f32, private>
  %w = ocl.load %d[%one] : !ocl.ptr<vector<2xf32>, private>
  ocl.store %w, %in : !ocl.ptr<vector<2xf32>, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @indices
// CHECK-NOT:     ocl.alloca
// CHECK:         vector.insert %a, %{{.*}}[1] : f32 into vector<2xf32>
