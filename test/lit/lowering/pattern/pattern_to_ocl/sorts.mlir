// RUN: ocl-opt %s -p pattern-to-ocl --split-input-file | filecheck %s

// A sort by a key of one byte: the elements with each value of the byte are counted, added up to the
// place of the first of them, and each element goes to the next place of its byte. The sign bit is
// flipped, so that bytes are unsigned numbers.

func.func @bytes(%x: !pattern.array<64, i8>) -> !pattern.array<64, i8> {
  %r = pattern.sort %x as %a: i8, %b: i8 {
    %before = arith.cmpi slt, %a, %b : i8
    pattern.yield %before : i1
  } : !pattern.array<64, i8>
  func.return %r : !pattern.array<64, i8>
}

// CHECK-LABEL: ocl.kernel @bytes_0
// CHECK:         %[[values:.*]] = arith.constant 256 : index
// CHECK-NEXT:    %[[size:.*]] = arith.constant 64 : index
// CHECK:         scf.for %[[c:.*]] = {{.*}} to %[[values]] step
// CHECK-NEXT:      ocl.store %{{.*}}, %[[counts:.*]][%[[c]]] : !ocl.ptr<i32, global>
// CHECK:         scf.for %[[i:.*]] = {{.*}} to %[[size]] step
// CHECK-NEXT:      %[[e:.*]] = ocl.load %x[%[[i]]] : !ocl.ptr<i8, global>
// CHECK-NEXT:      %[[sign:.*]] = arith.constant -128 : i8
// CHECK-NEXT:      %[[bits:.*]] = arith.xori %[[e]], %[[sign]] : i8
// CHECK-NEXT:      %[[wide:.*]] = arith.extui %[[bits]] : i8 to i64
// CHECK-NEXT:      %[[byte:.*]] = arith.index_cast %[[wide]] : i64 to index
// CHECK-NEXT:      %[[old:.*]] = ocl.load %[[counts]][%[[byte]]]
// CHECK:           %[[new:.*]] = arith.addi %[[old]],
// CHECK-NEXT:      ocl.store %[[new]], %[[counts]][%[[byte]]]
// CHECK:         scf.for %[[v:.*]] = {{.*}} to %[[values]] step {{.*}} iter_args(%[[before:.*]] =
// CHECK-NEXT:      %[[count:.*]] = ocl.load %[[counts]][%[[v]]]
// CHECK-NEXT:      ocl.store %[[before]], %[[counts]][%[[v]]]
// CHECK-NEXT:      %[[after:.*]] = arith.addi %[[before]], %[[count]]
// CHECK-NEXT:      scf.yield %[[after]]
// CHECK:         scf.for %[[j:.*]] = {{.*}} to %[[size]] step
// CHECK:           %[[place:.*]] = ocl.load %[[counts]]
// CHECK:           %[[to:.*]] = arith.index_cast %[[place]]
// CHECK-NEXT:      ocl.store %{{.*}}, %out[%[[to]]] : !ocl.ptr<i8, global>

// -----

// Fewer elements, and those whose order is that of no key, are runs of eight in registers, then merged.

func.func @few(%x: !pattern.array<47, i8>) -> !pattern.array<47, i8> {
  %r = pattern.sort %x as %a: i8, %b: i8 {
    %before = arith.cmpi slt, %a, %b : i8
    pattern.yield %before : i1
  } : !pattern.array<47, i8>
  func.return %r : !pattern.array<47, i8>
}

// CHECK-LABEL: ocl.kernel @few_0
// CHECK-NOT:     arith.xori
// CHECK:         arith.shrui
