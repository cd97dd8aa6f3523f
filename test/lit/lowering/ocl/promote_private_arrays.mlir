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

// The index is not known: one of the elements is chosen, by an index of 32 bits.
ocl.kernel @chosen(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %a: f32 {ocl.name = "a"}) {
  %id = ocl.local_id 0 : index
  %n = arith.index_cast %id : index to i32
  %i = arith.index_cast %n : i32 to index
  %sum = ocl.alloca : !ocl.ptr<!ocl.array<2 x f32>, private>
  %p = ocl.cast %sum : !ocl.ptr<!ocl.array<2 x f32>, private> to !ocl.ptr<f32, private>
  ocl.store %a, %p[%i] : !ocl.ptr<f32, private>
  %v = ocl.load %p[%i] : !ocl.ptr<f32, private>
  ocl.store %v, %in[%id] : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @chosen
// CHECK-NOT:     ocl.alloca
// CHECK:         %[[P:.*]] = ub.poison : f32
// CHECK:         %[[IS0:.*]] = arith.cmpi eq, %n, %{{.*}} : i32
// CHECK-NEXT:    %[[V0:.*]] = arith.select %[[IS0]], %a, %{{.*}} : f32
// CHECK:         %[[IS1:.*]] = arith.cmpi eq, %n, %{{.*}} : i32
// CHECK-NEXT:    %[[V1:.*]] = arith.select %[[IS1]], %a, %{{.*}} : f32
// CHECK:         %[[LAST:.*]] = arith.cmpi eq, %n, %{{.*}} : i32
// CHECK-NEXT:    arith.select %[[LAST]], %[[V1]], %[[V0]] : f32

// What decided on the index decides on the element.
ocl.kernel @decided(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %a: f32 {ocl.name = "a"}) {
  %id = ocl.local_id 0 : index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %odd = arith.constant 7 : index
  %test = arith.cmpi eq, %id, %odd : index
  %i = scf.if %test -> (index) {
    scf.yield %one : index
  } else {
    scf.yield %zero : index
  }
  %sum = ocl.alloca : !ocl.ptr<!ocl.array<2 x f32>, private>
  %p = ocl.cast %sum : !ocl.ptr<!ocl.array<2 x f32>, private> to !ocl.ptr<f32, private>
  %b = arith.addf %a, %a : f32
  ocl.store %a, %p[%zero] : !ocl.ptr<f32, private>
  ocl.store %b, %p[%one] : !ocl.ptr<f32, private>
  %v = ocl.load %p[%i] : !ocl.ptr<f32, private>
  ocl.store %v, %in[%id] : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @decided
// CHECK-NOT:     ocl.alloca
// CHECK:         arith.select %test, %b, %a : f32

// All work-items read the same element: neighbours are neighbours in memory.
ocl.kernel @same(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %a: f32 {ocl.name = "a"}, %k: i64 {ocl.name = "k"}) {
  %i = arith.index_cast %k : i64 to index
  %sum = ocl.alloca : !ocl.ptr<!ocl.array<2 x f32>, private>
  %p = ocl.cast %sum : !ocl.ptr<!ocl.array<2 x f32>, private> to !ocl.ptr<f32, private>
  ocl.store %a, %p[%i] : !ocl.ptr<f32, private>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @same
// CHECK:         ocl.alloca

// To choose in a loop is faster only in vectors: here, each work-item reads a row of its own.
ocl.kernel @scalar(%in: !ocl.ptr<i32, global> {ocl.name = "in"}, %a: f32 {ocl.name = "a"}, %m: i64 {ocl.name = "m"}) {
  %n = arith.index_cast %m : i64 to index
  %id = ocl.local_id 0 : index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %row = arith.muli %id, %n : index
  %sum = ocl.alloca : !ocl.ptr<!ocl.array<2 x f32>, private>
  %p = ocl.cast %sum : !ocl.ptr<!ocl.array<2 x f32>, private> to !ocl.ptr<f32, private>
  scf.for %k = %zero to %n step %one {
    %at = arith.addi %row, %k : index
    %i = ocl.load %in[%at] : !ocl.ptr<i32, global>
    %j = arith.index_cast %i : i32 to index
    ocl.store %a, %p[%j] : !ocl.ptr<f32, private>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @scalar
// CHECK:         ocl.alloca

// The bounds of a loop are counters of another.
ocl.kernel @triangle(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %a: f32 {ocl.name = "a"}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %sum = ocl.alloca : !ocl.ptr<!ocl.array<3 x f32>, private>
  %p = ocl.cast %sum : !ocl.ptr<!ocl.array<3 x f32>, private> to !ocl.ptr<f32, private>
  scf.for %i = %zero to %two step %one {
    %next = arith.addi %i, %one : index
    scf.for %j = %i to %two step %one {
      ocl.store %a, %p[%j] : !ocl.ptr<f32, private>
      %v = ocl.load %p[%j] : !ocl.ptr<f32, private>
      ocl.store %v, %in[%i] : !ocl.ptr<f32, global>
    }
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @triangle
// CHECK-NOT:     ocl.alloca
// CHECK-NOT:     scf.for
// CHECK-COUNT-3: ocl.store %a, %in
// CHECK-NOT:     ocl.store

// Vectors are elements, too.
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

// In a loop that stays, up to three operations for each access of the array, too: 409 here, of 240 accesses.
ocl.kernel @state(%in: !ocl.ptr<i32, global> {ocl.name = "in"}, %m: i64 {ocl.name = "m"}) {
  %k = arith.index_cast %m : i64 to index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 60 : index
  %state = ocl.alloca : !ocl.ptr<!ocl.array<60 x i32>, private>
  %p = ocl.cast %state : !ocl.ptr<!ocl.array<60 x i32>, private> to !ocl.ptr<i32, private>
  scf.for %j = %zero to %k step %one {
    %w = ocl.load %in[%j] : !ocl.ptr<i32, global>
    scf.for %i = %zero to %n step %one {
      %a = ocl.load %p[%i] : !ocl.ptr<i32, private>
      %b = arith.xori %a, %w : i32
      %c = arith.addi %b, %w : i32
      %d = arith.xori %c, %b : i32
      ocl.store %d, %p[%i] : !ocl.ptr<i32, private>
      %e = ocl.load %p[%i] : !ocl.ptr<i32, private>
      %f = arith.muli %e, %c : i32
      %g = arith.addi %f, %b : i32
      %h = arith.xori %g, %d : i32
      ocl.store %h, %p[%i] : !ocl.ptr<i32, private>
    }
  }
  %v = ocl.load %p[%zero] : !ocl.ptr<i32, private>
  ocl.store %v, %in : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @state
// CHECK-NOT:     ocl.alloca
// CHECK:         scf.for
// CHECK-NOT:     scf.for
// CHECK:         ocl.return

// Without a barrier, loops are unrolled up to 1500 more operations, and up to 400 in a loop that stays.
ocl.kernel @long(%in: !ocl.ptr<f32, global> {ocl.name = "in"}, %m: i64 {ocl.name = "m"}) {
  %k = arith.index_cast %m : i64 to index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 60 : index
  %once = ocl.alloca : !ocl.ptr<!ocl.array<60 x f32>, private>
  %p = ocl.cast %once : !ocl.ptr<!ocl.array<60 x f32>, private> to !ocl.ptr<f32, private>
  scf.for %i = %zero to %n step %one {
    %a = ocl.load %in[%i] : !ocl.ptr<f32, global>
    %b = arith.addf %a, %a : f32
    %c = arith.mulf %a, %b : f32
    %d = arith.mulf %c, %b : f32
    %e = arith.mulf %d, %c : f32
    %f = arith.mulf %e, %d : f32
    ocl.store %f, %p[%i] : !ocl.ptr<f32, private>
  }
  %sum = ocl.alloca : !ocl.ptr<!ocl.array<60 x f32>, private>
  %q = ocl.cast %sum : !ocl.ptr<!ocl.array<60 x f32>, private> to !ocl.ptr<f32, private>
  scf.for %j = %zero to %k step %one {
    scf.for %i = %zero to %n step %one {
      %a = ocl.load %in[%i] : !ocl.ptr<f32, global>
      %b = arith.addf %a, %a : f32
      %c = arith.mulf %a, %b : f32
      %d = arith.mulf %c, %b : f32
      %e = arith.mulf %d, %c : f32
      %f = arith.mulf %e, %d : f32
      ocl.store %f, %q[%i] : !ocl.ptr<f32, private>
    }
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @long
// CHECK-NOT:     %once
// CHECK:         %sum = ocl.alloca
// CHECK-NOT:     %once

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
