// RUN: ocl-opt %s -p promote-private-arrays | filecheck %s

// A word is put together of its bytes.
ocl.kernel @word(%in: !ocl.ptr<i32, global> {ocl.name = "in"}, %a: i8 {ocl.name = "a"}, %b: i8 {ocl.name = "b"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = ocl.alloca : !ocl.ptr<!ocl.array<2 x i8>, private>
  %bytes = ocl.cast %m : !ocl.ptr<!ocl.array<2 x i8>, private> to !ocl.ptr<i8, private>
  ocl.store %a, %bytes[%c0] : !ocl.ptr<i8, private>
  ocl.store %b, %bytes[%c1] : !ocl.ptr<i8, private>
  %words = ocl.cast %m : !ocl.ptr<!ocl.array<2 x i8>, private> to !ocl.ptr<i16, private>
  %w = ocl.load %words : !ocl.ptr<i16, private>
  %r = arith.extui %w : i16 to i32
  ocl.store %r, %in[%c0] : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @word
// CHECK-NOT:     ocl.alloca
// CHECK:         %[[LOW:.*]] = arith.extui %a : i8 to i16
// CHECK-NEXT:    %[[B:.*]] = arith.extui %b : i8 to i16
// CHECK-NEXT:    %[[C8:.*]] = arith.constant 8 : i16
// CHECK-NEXT:    %[[HIGH:.*]] = arith.shli %[[B]], %[[C8]] : i16
// CHECK-NEXT:    arith.ori %[[LOW]], %[[HIGH]] : i16

// Bytes are combined one by one, by the operation that combined the words.
ocl.kernel @bytes(%in: !ocl.ptr<i8, global> {ocl.name = "in"}, %a: i8 {ocl.name = "a"}, %key: i16 {ocl.name = "key"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = ocl.alloca : !ocl.ptr<!ocl.union<"U", {b: !ocl.array<2 x i8>, w: i16}>, private>
  %b = ocl.member %m["b"] : !ocl.ptr<!ocl.union<"U", {b: !ocl.array<2 x i8>, w: i16}>, private> -> !ocl.ptr<!ocl.array<2 x i8>, private>
  %bytes = ocl.cast %b : !ocl.ptr<!ocl.array<2 x i8>, private> to !ocl.ptr<i8, private>
  %w = ocl.member %m["w"] : !ocl.ptr<!ocl.union<"U", {b: !ocl.array<2 x i8>, w: i16}>, private> -> !ocl.ptr<i16, private>
  ocl.store %a, %bytes[%c0] : !ocl.ptr<i8, private>
  ocl.store %a, %bytes[%c1] : !ocl.ptr<i8, private>
  %old = ocl.load %w : !ocl.ptr<i16, private>
  %new = arith.xori %old, %key : i16
  ocl.store %new, %w : !ocl.ptr<i16, private>
  %r = ocl.load %bytes[%c1] : !ocl.ptr<i8, private>
  ocl.store %r, %in : !ocl.ptr<i8, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @bytes
// CHECK-NOT:     ocl.alloca
// CHECK:         %[[SHIFTED:.*]] = arith.shrui %key, %{{.*}} : i16
// CHECK-NEXT:    %[[KEY:.*]] = arith.trunci %[[SHIFTED]] : i16 to i8
// CHECK-NEXT:    %[[R:.*]] = arith.xori %a, %[[KEY]] : i8
// CHECK-NEXT:    ocl.store %[[R]], %in

// The loop reads and writes words: a byte outside of it is a part of one.
ocl.kernel @loop(%in: !ocl.ptr<i8, global> {ocl.name = "in"}, %count: i64 {ocl.name = "count"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : i32
  %n = arith.index_cast %count : i64 to index
  %m = ocl.alloca : !ocl.ptr<i32, private>
  ocl.store %c3, %m : !ocl.ptr<i32, private>
  scf.for %i = %c0 to %n step %c1 {
    %old = ocl.load %m : !ocl.ptr<i32, private>
    %new = arith.muli %old, %c3 : i32
    ocl.store %new, %m : !ocl.ptr<i32, private>
  }
  %bytes = ocl.cast %m : !ocl.ptr<i32, private> to !ocl.ptr<i8, private>
  %r = ocl.load %bytes[%c1] : !ocl.ptr<i8, private>
  ocl.store %r, %in : !ocl.ptr<i8, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @loop
// CHECK:         %[[M:.*]] = scf.for {{.*}} -> (i32)
// CHECK:         %[[SHIFTED:.*]] = arith.shrui %[[M]], %{{.*}} : i32
// CHECK-NEXT:    %[[R:.*]] = arith.trunci %[[SHIFTED]] : i32 to i8
// CHECK-NEXT:    ocl.store %[[R]], %in

// The place of the word is not known.
ocl.kernel @kept(%in: !ocl.ptr<i32, global> {ocl.name = "in"}, %count: i64 {ocl.name = "count"}) {
  %n = arith.index_cast %count : i64 to index
  %m = ocl.alloca : !ocl.ptr<!ocl.array<8 x i8>, private>
  %bytes = ocl.cast %m : !ocl.ptr<!ocl.array<8 x i8>, private> to !ocl.ptr<i8, private>
  %c0 = arith.constant 0 : i8
  ocl.store %c0, %bytes : !ocl.ptr<i8, private>
  %words = ocl.cast %m : !ocl.ptr<!ocl.array<8 x i8>, private> to !ocl.ptr<i32, private>
  %w = ocl.load %words[%n] : !ocl.ptr<i32, private>
  ocl.store %w, %in : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @kept
// CHECK:         ocl.alloca
