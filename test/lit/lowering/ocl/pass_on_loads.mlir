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
