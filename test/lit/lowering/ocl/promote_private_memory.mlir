// RUN: ocl-opt %s -p promote-private-memory --split-input-file | filecheck %s

// What a branch writes is its result.

func.func @branch(%a: i32, %b: i32, %c: i1) -> i32 {
  %p = ocl.alloca : !ocl.ptr<i32, private>
  ocl.store %a, %p : !ocl.ptr<i32, private>
  scf.if %c {
    ocl.store %b, %p : !ocl.ptr<i32, private>
  }
  %r = ocl.load %p : !ocl.ptr<i32, private>
  func.return %r : i32
}

// CHECK-LABEL: func.func @branch
// CHECK-NEXT:    %p = scf.if %c -> (i32) {
// CHECK-NEXT:      scf.yield %b : i32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %a : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %p : i32
// CHECK-NEXT:  }

// -----

// A loop hands on what it changes; the old value of a variable that is written first is not needed.

func.func @loop(%n: index) -> i32 {
  %sum = ocl.alloca : !ocl.ptr<i32, private>
  %t = ocl.alloca : !ocl.ptr<i32, private>
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  ocl.store %zero, %sum : !ocl.ptr<i32, private>
  scf.for %i = %c0 to %n step %c1 {
    %v = arith.index_cast %i : index to i32
    ocl.store %v, %t[%c0] : !ocl.ptr<i32, private>
    %u = ocl.load %t : !ocl.ptr<i32, private>
    %s = ocl.load %sum : !ocl.ptr<i32, private>
    %w = arith.addi %s, %u : i32
    ocl.store %w, %sum : !ocl.ptr<i32, private>
  }
  %r = ocl.load %sum : !ocl.ptr<i32, private>
  func.return %r : i32
}

// CHECK-LABEL: func.func @loop
// CHECK-NEXT:    %zero = arith.constant 0 : i32
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%sum_1 = %zero) -> (i32) {
// CHECK-NEXT:      %v = arith.index_cast %i : index to i32
// CHECK-NEXT:      %w = arith.addi %sum_1, %v : i32
// CHECK-NEXT:      scf.yield %w : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %sum : i32
// CHECK-NEXT:  }

// -----

// A loop with its test in the middle.

func.func @while(%n: i32) -> i32 {
  %p = ocl.alloca : !ocl.ptr<i32, private>
  %one = arith.constant 1 : i32
  ocl.store %n, %p : !ocl.ptr<i32, private>
  scf.while () : () -> () {
    %v = ocl.load %p : !ocl.ptr<i32, private>
    %w = arith.subi %v, %one : i32
    ocl.store %w, %p : !ocl.ptr<i32, private>
    %c = arith.cmpi sgt, %w, %one : i32
    scf.condition(%c)
  } do {
    %v = ocl.load %p : !ocl.ptr<i32, private>
    %w = arith.muli %v, %v : i32
    ocl.store %w, %p : !ocl.ptr<i32, private>
    scf.yield
  }
  %r = ocl.load %p : !ocl.ptr<i32, private>
  func.return %r : i32
}

// CHECK-LABEL: func.func @while
// CHECK-NEXT:    %one = arith.constant 1 : i32
// CHECK-NEXT:    %p = scf.while (%p_1 = %n) : (i32) -> i32 {
// CHECK-NEXT:      %w = arith.subi %p_1, %one : i32
// CHECK-NEXT:      %c = arith.cmpi sgt, %w, %one : i32
// CHECK-NEXT:      scf.condition(%c) %w : i32
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb0(%p_2: i32):
// CHECK-NEXT:      %w_1 = arith.muli %p_2, %p_2 : i32
// CHECK-NEXT:      scf.yield %w_1 : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %p : i32
// CHECK-NEXT:  }

// -----

// Through a generic pointer; a variable that was not written has no value.

func.func @generic(%a: vector<4xf32>) -> (vector<4xf32>, f32) {
  %p = ocl.alloca : !ocl.ptr<vector<4xf32>, private>
  %q = ocl.alloca : !ocl.ptr<f32, private>
  %g = ocl.cast %p : !ocl.ptr<vector<4xf32>, private> to !ocl.ptr<vector<4xf32>, generic>
  ocl.store %a, %g : !ocl.ptr<vector<4xf32>, generic>
  %r = ocl.load %p : !ocl.ptr<vector<4xf32>, private>
  %s = ocl.load %q : !ocl.ptr<f32, private>
  func.return %r, %s : vector<4xf32>, f32
}

// CHECK-LABEL: func.func @generic
// CHECK-NEXT:    %undefined = ub.poison : f32
// CHECK-NEXT:    func.return %a, %undefined : vector<4xf32>, f32
// CHECK-NEXT:  }

// -----

// Known elements of a vector are inserted, and are used themselves where they are read again.

func.func @elements(%g: !ocl.ptr<vector<2xf32>, global>, %a: f32) -> (f32, f32) {
  %v = ocl.alloca : !ocl.ptr<vector<2xf32>, private>
  %first = ocl.load %g : !ocl.ptr<vector<2xf32>, global>
  ocl.store %first, %v : !ocl.ptr<vector<2xf32>, private>
  %part = ocl.cast %v : !ocl.ptr<vector<2xf32>, private> to !ocl.ptr<f32, private>
  %one = arith.constant 1 : index
  ocl.store %a, %part[%one] : !ocl.ptr<f32, private>
  %x = ocl.load %part : !ocl.ptr<f32, private>
  %whole = ocl.load %v : !ocl.ptr<vector<2xf32>, private>
  %y = vector.extract %whole[1] : f32 from vector<2xf32>
  ocl.store %whole, %g : !ocl.ptr<vector<2xf32>, global>
  func.return %x, %y : f32, f32
}

// CHECK-LABEL: func.func @elements
// CHECK-NEXT:    %first = ocl.load %g : !ocl.ptr<vector<2xf32>, global>
// CHECK-NEXT:    %one = arith.constant 1 : index
// CHECK-NEXT:    %v = vector.insert %a, %first [1] : f32 into vector<2xf32>
// CHECK-NEXT:    %x = vector.extract %first[0] : f32 from vector<2xf32>
// CHECK-NEXT:    ocl.store %v, %g : !ocl.ptr<vector<2xf32>, global>
// CHECK-NEXT:    func.return %x, %a : f32, f32
// CHECK-NEXT:  }

// -----

// Stays in memory: an address that goes elsewhere, a volatile access, a part, an index, an array, and
// what is read with another sign than it was written.

func.func @stays(%x: !ocl.ptr<!ocl.ptr<i32, private>, private>, %a: i32, %i: index) {
  %escapes = ocl.alloca : !ocl.ptr<i32, private>
  ocl.store %escapes, %x : !ocl.ptr<!ocl.ptr<i32, private>, private>
  %volatile = ocl.alloca : !ocl.ptr<i32, private>
  ocl.store volatile %a, %volatile : !ocl.ptr<i32, private>
  %part = ocl.alloca : !ocl.ptr<vector<4xi32>, private>
  %lane = ocl.cast %part : !ocl.ptr<vector<4xi32>, private> to !ocl.ptr<i32, private>
  ocl.store %a, %lane[%i] : !ocl.ptr<i32, private>
  %indexed = ocl.alloca : !ocl.ptr<i32, private>
  ocl.store %a, %indexed[%i] : !ocl.ptr<i32, private>
  %unsigned = ocl.alloca : !ocl.ptr<i32, private>
  ocl.store %a, %unsigned : !ocl.ptr<i32, private>
  %signed = ocl.cast %unsigned : !ocl.ptr<i32, private> to !ocl.ptr<i32, private>
  %b = ocl.load %signed : !ocl.ptr<i32, private>
  func.return
}

// CHECK-LABEL: func.func @stays
// CHECK-NEXT:    %escapes = ocl.alloca : !ocl.ptr<i32, private>
// CHECK-NEXT:    ocl.store %escapes, %x : !ocl.ptr<!ocl.ptr<i32, private>, private>
// CHECK-NEXT:    %volatile = ocl.alloca : !ocl.ptr<i32, private>
// CHECK-NEXT:    ocl.store volatile %a, %volatile : !ocl.ptr<i32, private>
// CHECK-NEXT:    %part = ocl.alloca : !ocl.ptr<vector<4xi32>, private>
// CHECK-NEXT:    %lane = ocl.cast %part : !ocl.ptr<vector<4xi32>, private> to !ocl.ptr<i32, private>
// CHECK-NEXT:    ocl.store %a, %lane[%i] : !ocl.ptr<i32, private>
// CHECK-NEXT:    %indexed = ocl.alloca : !ocl.ptr<i32, private>
// CHECK-NEXT:    ocl.store %a, %indexed[%i] : !ocl.ptr<i32, private>
// CHECK-NEXT:    %unsigned = ocl.alloca : !ocl.ptr<i32, private>
// CHECK-NEXT:    ocl.store %a, %unsigned : !ocl.ptr<i32, private>
// CHECK-NEXT:    %signed = ocl.cast %unsigned : !ocl.ptr<i32, private> to !ocl.ptr<i32, private>
// CHECK-NEXT:    %b = ocl.load %signed : !ocl.ptr<i32, private>
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
