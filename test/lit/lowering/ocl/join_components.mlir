// RUN: ocl-opt %s -p join-components | filecheck %s
// RUN: ocl-opt %s -p join-components --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// `y.x += a * x.x; y.y += a * x.y;`: the second component of %y is what it was before the first one
// was set. The scalar is the same for both.

// REMARK: join_components.mlir:[[# @LINE + 11]]:3: remark: its components are computed together [join-components]
ocl.kernel @axpy(%x: vector<2xf32> {ocl.name = "x"}, %y: vector<2xf32> {ocl.name = "y"}, %a: f32 {ocl.name = "a"}, %out: !ocl.ptr<vector<2xf32>, global> {ocl.name = "out"}) {
  %x0 = vector.extract %x[0] : f32 from vector<2xf32>
  %y0 = vector.extract %y[0] : f32 from vector<2xf32>
  %p0 = arith.mulf %a, %x0 : f32
  %s0 = arith.addf %y0, %p0 : f32
  %y_1 = vector.insert %s0, %y[0] : f32 into vector<2xf32>
  %x1 = vector.extract %x[1] : f32 from vector<2xf32>
  %y1 = vector.extract %y_1[1] : f32 from vector<2xf32>
  %p1 = arith.mulf %a, %x1 : f32
  %s1 = arith.addf %y1, %p1 : f32
  %y_2 = vector.insert %s1, %y_1[1] : f32 into vector<2xf32>
  ocl.store %y_2, %out : !ocl.ptr<vector<2xf32>, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @axpy
// CHECK-NEXT:    [[ALL:%.*]] = vector.broadcast %a : f32 to vector<2xf32>
// CHECK-NEXT:    [[PRODUCTS:%.*]] = arith.mulf [[ALL]], %x : vector<2xf32>
// CHECK-NEXT:    [[SUMS:%.*]] = arith.addf %y, [[PRODUCTS]] : vector<2xf32>
// CHECK-NEXT:    ocl.store [[SUMS]], %out : !ocl.ptr<vector<2xf32>, global>

// Another order of components, another operation, and a component that is not set stay.

ocl.kernel @others(%x: vector<2xf32> {ocl.name = "x"}, %a: f32 {ocl.name = "a"}, %out: !ocl.ptr<vector<2xf32>, global> {ocl.name = "out"}) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x0 = vector.extract %x[0] : f32 from vector<2xf32>
  %x1 = vector.extract %x[1] : f32 from vector<2xf32>
  %turned_0 = vector.insert %x1, %x[0] : f32 into vector<2xf32>
  %turned = vector.insert %x0, %turned_0[1] : f32 into vector<2xf32>
  ocl.store %turned, %out : !ocl.ptr<vector<2xf32>, global>
  %p0 = arith.mulf %x0, %a : f32
  %p1 = arith.addf %x1, %a : f32
  %mixed_0 = vector.insert %p0, %x[0] : f32 into vector<2xf32>
  %mixed = vector.insert %p1, %mixed_0[1] : f32 into vector<2xf32>
  ocl.store %mixed, %out[%c1] : !ocl.ptr<vector<2xf32>, global>
  ocl.store %mixed_0, %out[%c2] : !ocl.ptr<vector<2xf32>, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @others
// CHECK-NOT:     vector.broadcast
// CHECK-COUNT-4: vector.insert

// A second step sets all components of the same variable again: both are joined. A third one that sets
// only one component stays.

ocl.kernel @twice(%x: vector<2xf32> {ocl.name = "x"}, %y: vector<2xf32> {ocl.name = "y"}, %a: f32 {ocl.name = "a"}, %out: !ocl.ptr<vector<2xf32>, global> {ocl.name = "out"}) {
  %none = ub.poison : vector<2xf32>
  %x0 = vector.extract %x[0] : f32 from vector<2xf32>
  %y0 = vector.extract %y[0] : f32 from vector<2xf32>
  %p0 = arith.mulf %x0, %y0 : f32
  %p_0 = vector.insert %p0, %none[0] : f32 into vector<2xf32>
  %x1 = vector.extract %x[1] : f32 from vector<2xf32>
  %y1 = vector.extract %y[1] : f32 from vector<2xf32>
  %p1 = arith.mulf %x1, %y1 : f32
  %p = vector.insert %p1, %p_0[1] : f32 into vector<2xf32>
  %q0 = vector.extract %p[0] : f32 from vector<2xf32>
  %s0 = arith.addf %q0, %a : f32
  %s_0 = vector.insert %s0, %p[0] : f32 into vector<2xf32>
  %q1 = vector.extract %s_0[1] : f32 from vector<2xf32>
  %s1 = arith.addf %q1, %a : f32
  %s = vector.insert %s1, %s_0[1] : f32 into vector<2xf32>
  %t = vector.insert %a, %s[0] : f32 into vector<2xf32>
  ocl.store %t, %out : !ocl.ptr<vector<2xf32>, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @twice
// CHECK:         [[PRODUCTS:%.*]] = arith.mulf %x, %y : vector<2xf32>
// CHECK:         [[ALL:%.*]] = vector.broadcast %a : f32 to vector<2xf32>
// CHECK:         [[SUMS:%.*]] = arith.addf [[PRODUCTS]], [[ALL]] : vector<2xf32>
// CHECK-NEXT:    [[T:%.*]] = vector.insert %a, [[SUMS]] [0]
// CHECK-NEXT:    ocl.store [[T]], %out

// A pixel of bytes: three components are computed alike, in 32 bits, and the last one is set afterwards.

ocl.kernel @pixel(%x: vector<4xi8> {ocl.name = "x"}, %k: i32 {ocl.name = "k"}, %out: !ocl.ptr<vector<4xi8>, global> {ocl.name = "out"}) {
  %none = ub.poison : vector<4xi8>
  %x0 = vector.extract %x[0] : i8 from vector<4xi8>
  %w0 = arith.extui %x0 : i8 to i32
  %p0 = arith.muli %w0, %k : i32
  %t0 = arith.trunci %p0 : i32 to i8
  %r0 = vector.insert %t0, %none[0] : i8 into vector<4xi8>
  %x1 = vector.extract %x[1] : i8 from vector<4xi8>
  %w1 = arith.extui %x1 : i8 to i32
  %p1 = arith.muli %w1, %k : i32
  %t1 = arith.trunci %p1 : i32 to i8
  %r1 = vector.insert %t1, %r0[1] : i8 into vector<4xi8>
  %x2 = vector.extract %x[2] : i8 from vector<4xi8>
  %w2 = arith.extui %x2 : i8 to i32
  %p2 = arith.muli %w2, %k : i32
  %t2 = arith.trunci %p2 : i32 to i8
  %r2 = vector.insert %t2, %r1[2] : i8 into vector<4xi8>
  %x3 = vector.extract %x[3] : i8 from vector<4xi8>
  %r3 = vector.insert %x3, %r2[3] : i8 into vector<4xi8>
  ocl.store %r3, %out : !ocl.ptr<vector<4xi8>, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @pixel
// CHECK-NEXT:    [[ALPHA:%.*]] = vector.extract %x[3] : i8 from vector<4xi8>
// CHECK-NEXT:    [[WIDE:%.*]] = vec.extui %x : vector<4xi8> to vector<4xi32>
// CHECK-NEXT:    [[ALL:%.*]] = vector.broadcast %k : i32 to vector<4xi32>
// CHECK-NEXT:    [[PRODUCTS:%.*]] = arith.muli [[WIDE]], [[ALL]] : vector<4xi32>
// CHECK-NEXT:    [[BYTES:%.*]] = vec.trunci [[PRODUCTS]] : vector<4xi32> to vector<4xi8>
// CHECK-NEXT:    [[PIXEL:%.*]] = vector.insert [[ALPHA]], [[BYTES]] [3] : i8 into vector<4xi8>
// CHECK-NEXT:    ocl.store [[PIXEL]], %out : !ocl.ptr<vector<4xi8>, global>

// A division of components that nobody computed may fail.

ocl.kernel @quotients(%x: vector<4xi32> {ocl.name = "x"}, %y: vector<4xi32> {ocl.name = "y"}, %out: !ocl.ptr<vector<4xi32>, global> {ocl.name = "out"}) {
  %x0 = vector.extract %x[0] : i32 from vector<4xi32>
  %y0 = vector.extract %y[0] : i32 from vector<4xi32>
  %q0 = arith.divsi %x0, %y0 : i32
  %r0 = vector.insert %q0, %x[0] : i32 into vector<4xi32>
  %x1 = vector.extract %x[1] : i32 from vector<4xi32>
  %y1 = vector.extract %y[1] : i32 from vector<4xi32>
  %q1 = arith.divsi %x1, %y1 : i32
  %r1 = vector.insert %q1, %r0[1] : i32 into vector<4xi32>
  %x2 = vector.extract %x[2] : i32 from vector<4xi32>
  %y2 = vector.extract %y[2] : i32 from vector<4xi32>
  %q2 = arith.divsi %x2, %y2 : i32
  %r2 = vector.insert %q2, %r1[2] : i32 into vector<4xi32>
  %x3 = vector.extract %x[3] : i32 from vector<4xi32>
  %r3 = vector.insert %x3, %r2[3] : i32 into vector<4xi32>
  ocl.store %r3, %out : !ocl.ptr<vector<4xi32>, global>
  ocl.return
}

// CHECK-LABEL:   ocl.kernel @quotients
// CHECK-COUNT-3: arith.divsi {{.*}} : i32

// `y.x = x.x < 3 ? x.x * 2 : x.x - 2`, and so on: what is used again is computed once, so that the comparison tells of
// the number in the product.

ocl.kernel @again(%x: vector<2xi32> {ocl.name = "x"}, %out: !ocl.ptr<vector<2xi32>, global> {ocl.name = "out"}) {
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %none = ub.poison : vector<2xi32>
  %x0 = vector.extract %x[0] : i32 from vector<2xi32>
  %n0 = arith.xori %x0, %three : i32
  %small0 = arith.cmpi slt, %n0, %three : i32
  %p0 = arith.muli %n0, %two : i32
  %d0 = arith.subi %n0, %two : i32
  %y0 = arith.select %small0, %p0, %d0 : i32
  %y_1 = vector.insert %y0, %none[0] : i32 into vector<2xi32>
  %x1 = vector.extract %x[1] : i32 from vector<2xi32>
  %n1 = arith.xori %x1, %three : i32
  %small1 = arith.cmpi slt, %n1, %three : i32
  %p1 = arith.muli %n1, %two : i32
  %d1 = arith.subi %n1, %two : i32
  %y1 = arith.select %small1, %p1, %d1 : i32
  %y_2 = vector.insert %y1, %y_1[1] : i32 into vector<2xi32>
  ocl.store %y_2, %out : !ocl.ptr<vector<2xi32>, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @again
// CHECK:         [[THREE:%.*]] = vector.broadcast %three : i32 to vector<2xi32>
// CHECK-NEXT:    [[N:%.*]] = arith.xori %x, [[THREE]] : vector<2xi32>
// CHECK-NEXT:    [[SMALL:%.*]] = vec.cmpi slt, [[N]], [[THREE]] : vector<2xi32>
// CHECK-NEXT:    [[TWO:%.*]] = vector.broadcast %two : i32 to vector<2xi32>
// CHECK-NEXT:    [[PRODUCT:%.*]] = arith.muli [[N]], [[TWO]] : vector<2xi32>
// CHECK-NEXT:    [[LESS:%.*]] = arith.subi [[N]], [[TWO]] : vector<2xi32>
// CHECK-NEXT:    vec.select [[SMALL]], [[PRODUCT]], [[LESS]] : vector<2xi1>, vector<2xi32>
