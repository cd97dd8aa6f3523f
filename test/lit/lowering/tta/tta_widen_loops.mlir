// RUN: ocl-opt %s -p tta-widen-loops | filecheck %s

// A counter that may be larger than 32 bits hold counts from 0, in parts; its bits are used as an
// index, and all of them as a number.

// CHECK-LABEL: func.func @long
// CHECK-DAG:       %[[MOST:.*]] = arith.constant 1073741824 : i64
// CHECK-DAG:       %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK:           %[[D:.*]] = arith.subi %to, %from : i64
// CHECK:           %[[SIZE:.*]] = arith.select {{.*}}, %{{.*}}, %[[ZERO]] : i64
// CHECK:           scf.for %[[DONE:.*]] = %[[ZERO]] to %[[SIZE]] step %[[MOST]] : i64 {
// CHECK-NEXT:        %[[FIRST:.*]] = arith.addi %from, %[[DONE]] : i64
// CHECK-NEXT:        %[[LEFT:.*]] = arith.subi %[[SIZE]], %[[DONE]] : i64
// CHECK-NEXT:        %[[MIN:.*]] = arith.minsi %[[LEFT]], %[[MOST]] : i64
// CHECK-NEXT:        %[[PART:.*]] = arith.index_cast %[[MIN]] : i64 to index
// CHECK:             %[[START:.*]] = arith.index_cast %[[FIRST]] : i64 to index
// CHECK-NEXT:        scf.for %[[I:.*]] = %{{.*}} to %[[PART]] step
// CHECK-NEXT:          %[[AT:.*]] = arith.addi %[[START]], %[[I]] : index
// CHECK-NEXT:          %[[MORE:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK-NEXT:          %[[NUMBER:.*]] = arith.addi %[[FIRST]], %[[MORE]] : i64
// CHECK-NEXT:          ocl.store %[[NUMBER]], %out[%[[AT]]]
func.func @long(%out: !ocl.ptr<i64, global>, %from: i64, %to: i64) {
  %c1 = arith.constant 1 : index
  %lb = arith.index_cast %from : i64 to index
  %ub = arith.index_cast %to : i64 to index
  scf.for %i = %lb to %ub step %c1 {
    %number = arith.index_cast %i : index to i64
    ocl.store %number, %out[%i] : !ocl.ptr<i64, global>
  }
  func.return
}

// A number without a sign: the comparison has none.

// CHECK-LABEL: func.func @uint
// CHECK:           scf.for %[[I:.*]] = %c0 to %ub step %c1 {
// CHECK-NEXT:        %[[WORD:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK-NEXT:        %[[NUMBER:.*]] = arith.extui %[[WORD]] : i32 to i64
// CHECK:           } {unsignedCmp}
func.func @uint(%out: !ocl.ptr<i64, global>, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %wide = arith.extui %n : i32 to i64
  %ub = arith.index_cast %wide : i64 to index
  scf.for %i = %c0 to %ub step %c1 {
    %number = arith.index_cast %i : index to i64
    ocl.store %number, %out[%i] : !ocl.ptr<i64, global>
  }
  func.return
}

// With a step that is not known, everything has 64 bits.

// CHECK-LABEL: func.func @steps
// CHECK:           scf.for %[[I:.*]] = %{{.*}} to %n step %{{.*}} : i64 {
// CHECK-NEXT:        %[[AT:.*]] = arith.index_cast %[[I]] : i64 to index
// CHECK-NEXT:        ocl.store %n, %out[%[[AT]]]
func.func @steps(%out: !ocl.ptr<i64, global>, %n: i64, %step: index) {
  %c0 = arith.constant 0 : index
  %ub = arith.index_cast %n : i64 to index
  scf.for %i = %c0 to %ub step %step {
    ocl.store %n, %out[%i] : !ocl.ptr<i64, global>
  }
  func.return
}

// An int is small, and so is the sum of two: nothing changes.

// CHECK-LABEL: func.func @int
// CHECK:           scf.for %i = %lb to %ub step %c1 {
// CHECK:           }
// CHECK-NEXT:      func.return
func.func @int(%out: !ocl.ptr<i64, global>, %from: i32, %to: i32, %v: i64) {
  %c1 = arith.constant 1 : index
  %lb = arith.index_cast %from : i32 to index
  %last = arith.index_cast %to : i32 to index
  %ub = arith.addi %last, %c1 : index
  scf.for %i = %lb to %ub step %c1 {
    ocl.store %v, %out[%i] : !ocl.ptr<i64, global>
  }
  func.return
}

// What depends on all bits of an index is computed with 64.

// CHECK-LABEL: func.func @count_down
// CHECK:           %[[N:.*]] = arith.subi %to, %{{.*}} : i64
// CHECK-NEXT:      func.return %[[N]] : i64
func.func @count_down(%to: i64, %less: index) -> i64 {
  %0 = arith.index_cast %to : i64 to index
  %1 = arith.subi %0, %less : index
  %2 = arith.index_cast %1 : index to i64
  func.return %2 : i64
}
