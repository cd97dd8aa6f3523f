// RUN: ocl-opt %s -p carry-indices | filecheck %s

// An index that an argument says the step of: only the comparison needs 32 bits.
func.func @sieve(%flags: !ocl.ptr<i8, global>, %start: i32, %step: i32, %n: i32, %v: i8) -> i32 {
  %last = scf.while (%j = %start) : (i32) -> i32 {
    %more = arith.cmpi slt, %j, %n : i32
    scf.condition(%more) %j : i32
  } do {
  ^bb0(%k: i32):
    %i = arith.index_cast %k : i32 to index
    ocl.store %v, %flags[%i] : !ocl.ptr<i8, global>
    %next = arith.addi %k, %step : i32
    scf.yield %next : i32
  }
  func.return %last : i32
}
// CHECK-LABEL: func.func @sieve
// CHECK-NEXT:    %[[FROM:.*]] = arith.index_cast %start : i32 to index
// CHECK-NEXT:    %[[LAST:.*]] = scf.while (%j = %[[FROM]]) : (index) -> index {
// CHECK-NEXT:      %[[J:.*]] = arith.index_cast %j : index to i32
// CHECK-NEXT:      %more = arith.cmpi slt, %[[J]], %n : i32
// CHECK-NEXT:      scf.condition(%more) %j : index
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb0(%k: index):
// CHECK-NEXT:      ocl.store %v, %flags[%k]
// CHECK-NEXT:      %[[STEP:.*]] = arith.index_cast %step : i32 to index
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addi %k, %[[STEP]] : index
// CHECK-NEXT:      scf.yield %[[NEXT]] : index
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[RESULT:.*]] = arith.index_cast %[[LAST]] : index to i32
// CHECK-NEXT:    func.return %[[RESULT]]

// Some iterations access nothing: the sum may wrap from one access to the next.
func.func @sometimes(%flags: !ocl.ptr<i8, global>, %start: i32, %step: i32, %n: i32, %v: i8) {
  %last = scf.while (%j = %start) : (i32) -> i32 {
    %more = arith.cmpi slt, %j, %n : i32
    scf.condition(%more) %j : i32
  } do {
  ^bb0(%k: i32):
    %even = arith.cmpi sgt, %k, %step : i32
    scf.if %even {
      %i = arith.index_cast %k : i32 to index
      ocl.store %v, %flags[%i] : !ocl.ptr<i8, global>
    }
    %next = arith.addi %k, %step : i32
    scf.yield %next : i32
  }
  func.return
}
// CHECK-LABEL: func.func @sometimes
// CHECK:         scf.while (%j = %start) : (i32) -> i32

// An unsigned index is extended by zeros, and another sum is none.
func.func @others(%p: !ocl.ptr<i32, global>, %start: i32, %n: i32) {
  %a, %b = scf.while (%j = %start, %k = %start) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi slt, %j, %n : i32
    scf.condition(%more) %j, %k : i32, i32
  } do {
  ^bb0(%l: i32, %m: i32):
    %zeros = arith.extui %l : i32 to i64
    %i = arith.index_cast %zeros : i64 to index
    %v = ocl.load %p[%i] : !ocl.ptr<i32, global>
    %o = arith.index_cast %m : i32 to index
    %w = ocl.load %p[%o] : !ocl.ptr<i32, global>
    %next = arith.addi %l, %v : i32
    %other = arith.muli %m, %w : i32
    scf.yield %next, %other : i32, i32
  }
  func.return
}
// CHECK-LABEL: func.func @others
// CHECK:         scf.while (%j = %start, %k = %start) : (i32, i32) -> (i32, i32)

// What is added to the index may be anything that the loop does not change. The same sum is compared
// as such; another one, whose index may have wrapped where that one does not, is not.
func.func @extend(%q: !ocl.ptr<i8, global>, %first: i32, %other: i32, %n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %sum, %last = scf.while (%s = %c0, %j = %c0) : (i32, i32) -> (i32, i32) {
    %at = arith.addi %first, %j : i32
    %inside = arith.cmpi slt, %at, %n : i32
    %to = arith.addi %other, %j : i32
    %also = arith.cmpi slt, %to, %n : i32
    %more = arith.andi %inside, %also : i1
    scf.condition(%more) %s, %j : i32, i32
  } do {
  ^bb0(%t: i32, %k: i32):
    %i = arith.index_cast %k : i32 to index
    %base = arith.index_cast %first : i32 to index
    %place = arith.addi %base, %i : index
    %v = ocl.load %q[%place] : !ocl.ptr<i8, global>
    %w = arith.extui %v : i8 to i32
    %new = arith.addi %t, %w : i32
    %next = arith.addi %k, %c1 : i32
    scf.yield %new, %next : i32, i32
  }
  func.return %sum : i32
}
// CHECK-LABEL: func.func @extend
// CHECK:         scf.while (%s = %c0, %j = %{{.*}}) : (i32, index)
// CHECK-NEXT:      %[[NARROW:.*]] = arith.index_cast %j : index to i32
// CHECK-NEXT:      %[[FIRST:.*]] = arith.index_cast %first : i32 to index
// CHECK-NEXT:      %[[AT:.*]] = arith.addi %[[FIRST]], %j : index
// CHECK-NEXT:      %[[N:.*]] = arith.index_cast %n : i32 to index
// CHECK-NEXT:      arith.cmpi slt, %[[AT]], %[[N]] : index
// CHECK-NEXT:      %to = arith.addi %other, %[[NARROW]] : i32
// CHECK-NEXT:      arith.cmpi slt, %to, %n : i32

// What is added moves with the index: neither may be where it seems.
func.func @apart(%q: !ocl.ptr<i8, global>, %start: i32, %n: i32, %v: i8) {
  %c1 = arith.constant 1 : i32
  %a, %b = scf.while (%j = %start, %k = %start) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi slt, %j, %n : i32
    scf.condition(%more) %j, %k : i32, i32
  } do {
  ^bb0(%l: i32, %m: i32):
    %x = arith.index_cast %l : i32 to index
    %y = arith.index_cast %m : i32 to index
    %place = arith.subi %x, %y : index
    ocl.store %v, %q[%place] : !ocl.ptr<i8, global>
    %next = arith.addi %l, %c1 : i32
    %other = arith.addi %m, %c1 : i32
    scf.yield %next, %other : i32, i32
  }
  func.return
}
// CHECK-LABEL: func.func @apart
// CHECK:         scf.while (%j = %start, %k = %start) : (i32, i32) -> (i32, i32)
