// RUN: ocl-opt %s -p join-bytes | filecheck %s
// RUN: ocl-opt %s -p join-bytes --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// REMARK: join_bytes.mlir:{{.*}} remark: reads 2 bytes at once [join-bytes]
// REMARK: join_bytes.mlir:{{.*}} remark: reads 4 bytes at once [join-bytes]
// REMARK: join_bytes.mlir:{{.*}} remark: reads 2 bytes at once [join-bytes]
// REMARK: join_bytes.mlir:{{.*}} remark: reads 2 bytes at once [join-bytes]
// REMARK-NOT: remark

// The higher byte first: the other way round than in memory.
ocl.kernel @big_endian(%p: !ocl.ptr<i8, global> {ocl.name = "p"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}) {
  %i = ocl.global_id 0 : index
  %one = arith.constant 1 : index
  %c8 = arith.constant 8 : i32
  %q = ocl.offset %p[%i] : !ocl.ptr<i8, global>
  %a = ocl.load %q : !ocl.ptr<i8, global>
  %high = arith.extui %a : i8 to i32
  %b = ocl.load %q[%one] : !ocl.ptr<i8, global>
  %low = arith.extui %b : i8 to i32
  %moved = arith.shli %high, %c8 : i32
  %both = arith.ori %moved, %low : i32
  ocl.store %both, %out[%i] : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @big_endian
// CHECK:         [[START:%.*]] = ocl.offset %q[{{.*}}] : !ocl.ptr<i8, global>
// CHECK:         [[ROW:%.*]] = ocl.vload [[START]]{{.*}} -> vector<2xi8>
// CHECK-NEXT:    [[TURNED:%.*]] = vector.shuffle [[ROW]], [[ROW]] [1, 0] : vector<2xi8>, vector<2xi8>
// CHECK-NEXT:    [[NUMBER:%.*]] = ocl.bitcast [[TURNED]] : vector<2xi8> to i16
// CHECK-NEXT:    [[BOTH:%.*]] = arith.extui [[NUMBER]] : i16 to i32
// CHECK-NOT:     ocl.load
// CHECK:         ocl.store [[BOTH]], %out[%i]

// A loop that goes down from the highest byte.
ocl.kernel @loop(%p: !ocl.ptr<i8, global> {ocl.name = "p"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}) {
  %i = ocl.global_id 0 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %q = ocl.offset %p[%i] : !ocl.ptr<i8, global>
  %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%m = %zero) -> (i32) {
    %at = arith.subi %c3, %k : index
    %moved = arith.shli %m, %c8 : i32
    %a = ocl.load %q[%at] : !ocl.ptr<i8, global>
    %byte = arith.extui %a : i8 to i32
    %next = arith.ori %moved, %byte : i32
    scf.yield %next : i32
  }
  ocl.store %sum, %out[%i] : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @loop
// CHECK-NOT:     scf.for
// CHECK:         [[ROW:%.*]] = ocl.vload {{.*}} -> vector<4xi8>
// CHECK-NEXT:    [[NUMBER:%.*]] = ocl.bitcast [[ROW]] : vector<4xi8> to i32
// CHECK-NOT:     ocl.load
// CHECK:         ocl.store [[NUMBER]], %out[%i]

// A loop that moves each byte to its place.
ocl.kernel @moved(%p: !ocl.ptr<i8, global> {ocl.name = "p"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}) {
  %i = ocl.global_id 0 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %q = ocl.offset %p[%i] : !ocl.ptr<i8, global>
  %sum = scf.for %k = %c0 to %c2 step %c1 iter_args(%m = %zero) -> (i32) {
    %a = ocl.load %q[%k] : !ocl.ptr<i8, global>
    %byte = arith.extui %a : i8 to i32
    %n = arith.index_cast %k : index to i32
    %by = arith.muli %n, %c8 : i32
    %moved = arith.shli %byte, %by : i32
    %next = arith.ori %m, %moved : i32
    scf.yield %next : i32
  }
  ocl.store %sum, %out[%i] : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @moved
// CHECK-NOT:     scf.for
// CHECK:         [[ROW:%.*]] = ocl.vload {{.*}} -> vector<2xi8>
// CHECK-NEXT:    [[SHORT:%.*]] = ocl.bitcast [[ROW]] : vector<2xi8> to i16
// CHECK-NEXT:    [[NUMBER:%.*]] = arith.extui [[SHORT]] : i16 to i32
// CHECK-NOT:     ocl.load
// CHECK:         ocl.store [[NUMBER]], %out[%i]

// A product with a power of two is a shift.
ocl.kernel @times(%p: !ocl.ptr<i8, global> {ocl.name = "p"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}) {
  %i = ocl.global_id 0 : index
  %one = arith.constant 1 : index
  %c256 = arith.constant 256 : i32
  %q = ocl.offset %p[%i] : !ocl.ptr<i8, global>
  %a = ocl.load %q : !ocl.ptr<i8, global>
  %low = arith.extui %a : i8 to i32
  %b = ocl.load %q[%one] : !ocl.ptr<i8, global>
  %high = arith.extui %b : i8 to i32
  %moved = arith.muli %c256, %high : i32
  %both = arith.addi %moved, %low : i32
  ocl.store %both, %out[%i] : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @times
// CHECK:         ocl.vload {{.*}} -> vector<2xi8>
// CHECK-NOT:     arith.muli

// A byte that is written between the two, or is used otherwise, or overlaps with the other.
ocl.kernel @kept(%p: !ocl.ptr<i8, global> {ocl.name = "p"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}) {
  %i = ocl.global_id 0 : index
  %one = arith.constant 1 : index
  %c7 = arith.constant 7 : i32
  %c8 = arith.constant 8 : i32
  %q = ocl.offset %p[%i] : !ocl.ptr<i8, global>
  %a = ocl.load %q : !ocl.ptr<i8, global>
  %low = arith.extui %a : i8 to i32
  ocl.store %a, %q[%one] : !ocl.ptr<i8, global>
  %b = ocl.load %q[%one] : !ocl.ptr<i8, global>
  %high = arith.extui %b : i8 to i32
  %moved = arith.shli %high, %c8 : i32
  %both = arith.ori %moved, %low : i32
  ocl.store %both, %out[%i] : !ocl.ptr<i32, global>
  %c = ocl.load %q : !ocl.ptr<i8, global>
  %x = arith.extui %c : i8 to i32
  %d = ocl.load %q[%one] : !ocl.ptr<i8, global>
  %y = arith.extui %d : i8 to i32
  %near = arith.shli %y, %c7 : i32
  %mixed = arith.addi %near, %x : i32
  ocl.store %mixed, %out[%i] : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @kept
// CHECK-NOT:     ocl.vload
// CHECK:         ocl.return
