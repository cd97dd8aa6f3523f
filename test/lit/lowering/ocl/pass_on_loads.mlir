// RUN: ocl-opt %s -p "pass-on-loads{distinct=true}" --split-input-file | filecheck %s

// A probe of a hash table: the condition has read %keys[%h].
wg.func @probe(%keys: !ocl.ptr<i32, global> {ocl.name = "keys"}, %y: !ocl.ptr<i64, global> {ocl.name = "y"}, %k: i32 {ocl.name = "k"}) {
  %n = ocl.local_size 0 : index
  wg.parallel (%i, %j, %l) in (%n, %n, %n) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %h = scf.while (%h0 = %i) : (index) -> index {
      %key = ocl.load %keys[%h0] : !ocl.ptr<i32, global>
      %full = arith.cmpi ne, %key, %c0 : i32
      scf.condition(%full) %h0 : index
    } do {
    ^bb0(%h1: index):
      %again = ocl.load %keys[%h1] : !ocl.ptr<i32, global>
      %same = arith.cmpi eq, %again, %k : i32
      %next = arith.addi %h1, %c1 : index
      %h2 = arith.select %same, %i, %next : index
      scf.yield %h2 : index
    }
    %wide = arith.index_cast %h : index to i64
    ocl.store %wide, %y[%i] : !ocl.ptr<i64, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @probe
// CHECK:         %h, %0 = scf.while (%h0 = %i) : (index) -> (index, i32) {
// CHECK-NEXT:      %key = ocl.load %keys[%h0] : !ocl.ptr<i32, global>
// CHECK-NEXT:      %full = arith.cmpi ne, %key, %c0 : i32
// CHECK-NEXT:      scf.condition(%full) %h0, %key : index, i32
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb0(%h1: index, %key_1: i32):
// CHECK-NEXT:      %same = arith.cmpi eq, %key_1, %k : i32

// -----

// The second condition of `%more && keys[%h] != 0` has read it, if both hold.
wg.func @both(%keys: !ocl.ptr<i32, global> {ocl.name = "keys"}) {
  %n = ocl.local_size 0 : index
  wg.parallel (%i, %j, %l) in (%n, %n, %n) {
    %c0 = arith.constant 0 : i32
    %false = arith.constant false
    %h = scf.while (%h0 = %i) : (index) -> index {
      %more = arith.cmpi ult, %h0, %n : index
      %go = scf.if %more -> (i1) {
        %key = ocl.load %keys[%h0] : !ocl.ptr<i32, global>
        %full = arith.cmpi ne, %key, %c0 : i32
        scf.yield %full : i1
      } else {
        scf.yield %false : i1
      }
      scf.condition(%go) %h0 : index
    } do {
    ^bb0(%h1: index):
      %again = ocl.load %keys[%h1] : !ocl.ptr<i32, global>
      %by = arith.index_cast %again : i32 to index
      %h2 = arith.addi %h1, %by : index
      scf.yield %h2 : index
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @both
// CHECK:           %go, %1 = scf.if %more -> (i1, i32) {
// CHECK-NEXT:        %key = ocl.load %keys[%h0] : !ocl.ptr<i32, global>
// CHECK-NEXT:        %full = arith.cmpi ne, %key, %c0 : i32
// CHECK-NEXT:        scf.yield %full, %key : i1, i32
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %2 = arith.constant 0 : i32
// CHECK-NEXT:        scf.yield %false, %2 : i1, i32
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.condition(%go) %h0, %1 : index, i32
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb0(%h1: index, %key_1: i32):
// CHECK-NEXT:      %by = arith.index_cast %key_1 : i32 to index

// -----

// The body has written to the array, or reads the next element: it reads.
wg.func @written(%keys: !ocl.ptr<i32, global> {ocl.name = "keys"}) {
  %n = ocl.local_size 0 : index
  wg.parallel (%i, %j, %l) in (%n, %n, %n) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %h = scf.while (%h0 = %i) : (index) -> index {
      %key = ocl.load %keys[%h0] : !ocl.ptr<i32, global>
      %full = arith.cmpi ne, %key, %c0 : i32
      scf.condition(%full) %h0 : index
    } do {
    ^bb0(%h1: index):
      %h2 = arith.addi %h1, %c1 : index
      %next = ocl.load %keys[%h2] : !ocl.ptr<i32, global>
      ocl.store %next, %keys[%c1] : !ocl.ptr<i32, global>
      %again = ocl.load %keys[%h1] : !ocl.ptr<i32, global>
      ocl.store %again, %keys[%h2] : !ocl.ptr<i32, global>
      scf.yield %h2 : index
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @written
// CHECK:         scf.while (%h0 = %i) : (index) -> index {
// CHECK:           %next = ocl.load %keys[%h2]
// CHECK:           %again = ocl.load %keys[%h1]

// -----

// The first side runs only if the second condition has read %a[%i].
wg.func @surely(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %n: i32 {ocl.name = "n"}) {
  %lx = ocl.local_size 0 : index
  wg.parallel (%i, %j, %l) in (%lx, %lx, %lx) {
    %c0 = arith.constant 0 : i32
    %false = arith.constant false
    %x = arith.index_cast %i : index to i32
    %in = arith.cmpi slt, %x, %n : i32
    %both = scf.if %in -> (i1) {
      %v = ocl.load %a[%i] : !ocl.ptr<i32, global>
      %large = arith.cmpi sgt, %v, %c0 : i32
      scf.yield %large : i1
    } else {
      scf.yield %false : i1
    }
    scf.if %both {
      %w = ocl.load %a[%i] : !ocl.ptr<i32, global>
      %less = arith.subi %w, %n : i32
      ocl.store %less, %a[%i] : !ocl.ptr<i32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @surely(
// CHECK:         %both, [[W:%.*]] = scf.if %in -> (i1, i32) {
// CHECK:           scf.yield %large, %v : i1, i32
// CHECK:         scf.if %both {
// CHECK-NEXT:      %less = arith.subi [[W]], %n : i32

// -----

// A step of a merge: lanes that are at the end of %b have not read %a[%i]. They do so then.
wg.func @merge(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %b: !ocl.ptr<i32, global> {ocl.name = "b"}, %at: !ocl.ptr<i64, global> {ocl.name = "at"}, %n: i32 {ocl.name = "n"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}) {
  %lx = ocl.local_size 0 : index
  wg.parallel (%x, %y, %z) in (%lx, %lx, %lx) {
    %true = arith.constant true
    %place = ocl.load %at[%x] : !ocl.ptr<i64, global>
    %i = arith.index_cast %place : i64 to index
    %size = arith.index_cast %n : i32 to index
    %j = arith.subi %size, %i : index
    %end = arith.cmpi sge, %j, %size : index
    %first = scf.if %end -> (i1) {
      scf.yield %true : i1
    } else {
      %v = ocl.load %a[%i] : !ocl.ptr<i32, global>
      %w = ocl.load %b[%j] : !ocl.ptr<i32, global>
      %c = arith.cmpi sle, %v, %w : i32
      scf.yield %c : i1
    }
    %r = scf.if %first -> (i32) {
      %p = ocl.load %a[%i] : !ocl.ptr<i32, global>
      scf.yield %p : i32
    } else {
      %q = ocl.load %b[%j] : !ocl.ptr<i32, global>
      scf.yield %q : i32
    }
    ocl.store %r, %out[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @merge(
// CHECK:         %first, [[V:%.*]], [[RAN:%.*]], %{{.*}}, %{{.*}} = scf.if %end
// CHECK:         scf.yield %c, %v, %{{.*}}, %w, %{{.*}} : i1, i32, i1, i32, i1
// CHECK:         %r = scf.if %first -> (i32) {
// CHECK-NEXT:      %p = scf.if [[RAN]] -> (i32) {
// CHECK-NEXT:        scf.yield [[V]] : i32
// CHECK-NEXT:      } else {
// CHECK-NEXT:        [[P:%.*]] = ocl.load %a[%i]
// CHECK-NEXT:        scf.yield [[P]] : i32
// CHECK-NEXT:      }{wg.likely}
// CHECK-NEXT:      scf.yield %p : i32
