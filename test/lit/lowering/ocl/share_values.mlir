// RUN: ocl-opt %s -p share-values | filecheck %s
// RUN: ocl-opt %s -p share-values{distinct=true} | filecheck %s --check-prefix=DISTINCT

// A branch uses what was computed before it. What it computes itself is not there after it.
func.func @branches(%x: i32, %y: i32, %c: i1, %p: !ocl.ptr<i32, global>) {
  %a = arith.addi %x, %y : i32
  scf.if %c {
    %b = arith.addi %x, %y : i32
    %d = arith.muli %b, %b : i32
    ocl.store %d, %p : !ocl.ptr<i32, global>
  }
  %e = arith.muli %a, %a : i32
  ocl.store %e, %p : !ocl.ptr<i32, global>
  func.return
}
// CHECK-LABEL: func.func @branches
// CHECK-NEXT:    %a = arith.addi %x, %y : i32
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      %d = arith.muli %a, %a : i32
// CHECK-NEXT:      ocl.store %d, %p
// CHECK-NEXT:    }
// CHECK-NEXT:    %e = arith.muli %a, %a : i32
// CHECK-NEXT:    ocl.store %e, %p

// A store may change what is loaded; a volatile load is an access of its own; an operation with
// other properties computes something else.
func.func @kept(%p: !ocl.ptr<i32, global>, %q: !ocl.ptr<i32, global>, %f: f32) -> (i32, i32, i32, f32, f32) {
  %a = ocl.load %p : !ocl.ptr<i32, global>
  %b = ocl.load %p : !ocl.ptr<i32, global>
  ocl.store %b, %q : !ocl.ptr<i32, global>
  %c = ocl.load %p : !ocl.ptr<i32, global>
  %d = ocl.load volatile %p : !ocl.ptr<i32, global>
  %e = ocl.load volatile %p : !ocl.ptr<i32, global>
  %g = arith.addf %f, %f : f32
  %h = arith.addf %f, %f fastmath<contract> : f32
  func.return %c, %d, %e, %g, %h : i32, i32, i32, f32, f32
}
// CHECK-LABEL: func.func @kept
// CHECK-NEXT:    %a = ocl.load %p : !ocl.ptr<i32, global>
// CHECK-NEXT:    ocl.store %a, %q : !ocl.ptr<i32, global>
// CHECK-NEXT:    %c = ocl.load %p : !ocl.ptr<i32, global>
// CHECK-NEXT:    %d = ocl.load volatile %p : !ocl.ptr<i32, global>
// CHECK-NEXT:    %e = ocl.load volatile %p : !ocl.ptr<i32, global>
// CHECK-NEXT:    %g = arith.addf %f, %f : f32
// CHECK-NEXT:    %h = arith.addf %f, %f fastmath<contract> : f32

// What was loaded before a branch is known in it, until something may write: there, and after it.
func.func @loads_in_branches(%p: !ocl.ptr<f32, global>, %q: !ocl.ptr<f32, global>, %c: i1) -> f32 {
  %a = ocl.load %p : !ocl.ptr<f32, global>
  %m = scf.if %c -> (f32) {
    %b = ocl.load %p : !ocl.ptr<f32, global>
    %d = ocl.load %q : !ocl.ptr<f32, global>
    %e = arith.addf %b, %d : f32
    scf.yield %e : f32
  } else {
    %d = ocl.load %q : !ocl.ptr<f32, global>
    scf.yield %d : f32
  }
  %f = ocl.load %p : !ocl.ptr<f32, global>
  %g = arith.addf %m, %f : f32
  scf.if %c {
    ocl.store %g, %q : !ocl.ptr<f32, global>
    %h = ocl.load %p : !ocl.ptr<f32, global>
    ocl.store %h, %q : !ocl.ptr<f32, global>
  }
  %i = ocl.load %p : !ocl.ptr<f32, global>
  func.return %i : f32
}
// CHECK-LABEL: func.func @loads_in_branches
// CHECK-NEXT:    %a = ocl.load %p
// CHECK-NEXT:    %m = scf.if %c -> (f32) {
// CHECK-NEXT:      %d = ocl.load %q
// CHECK-NEXT:      %e = arith.addf %a, %d : f32
// CHECK-NEXT:      scf.yield %e : f32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %d_1 = ocl.load %q
// CHECK-NEXT:      scf.yield %d_1 : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    %g = arith.addf %m, %a : f32
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      ocl.store %g, %q
// CHECK-NEXT:      %h = ocl.load %p
// CHECK-NEXT:      ocl.store %h, %q
// CHECK-NEXT:    }
// CHECK-NEXT:    %i = ocl.load %p

// An iteration of a loop reads what one before it has written.
func.func @loads_in_loops(%p: !ocl.ptr<f32, global>, %q: !ocl.ptr<f32, global>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = ocl.load %p : !ocl.ptr<f32, global>
  scf.for %i = %zero to %n step %one {
    %b = ocl.load %p : !ocl.ptr<f32, global>
    %c = arith.addf %a, %b : f32
    ocl.store %c, %q : !ocl.ptr<f32, global>
  }
  func.return
}
// CHECK-LABEL: func.func @loads_in_loops
// CHECK:         scf.for
// CHECK-NEXT:      %b = ocl.load %p

// A flag that is asked for is the condition that it was made of.
func.func @flags(%a: i1, %b: i1, %p: !ocl.ptr<i32, global>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %flag = arith.select %a, %one, %zero : i32
  %again = arith.cmpi ne, %flag, %zero : i32
  scf.if %again {
    ocl.store %one, %p : !ocl.ptr<i32, global>
  }
  %wide = arith.extui %b : i1 to i32
  %set = arith.cmpi ne, %wide, %zero : i32
  %other = arith.select %b, %zero, %one : i32
  %unset = arith.cmpi ne, %other, %zero : i32
  "test.op"(%set, %unset) : (i1, i1) -> ()
  func.return
}
// CHECK-LABEL: func.func @flags
// CHECK:         scf.if %a {
// CHECK:         %unset = arith.cmpi ne, %other, %zero : i32
// CHECK-NEXT:    "test.op"(%b, %unset) : (i1, i1) -> ()

// What was stored is known until something may write. A volatile store says nothing about memory.
func.func @stored(%p: !ocl.ptr<f32, global>, %q: !ocl.ptr<f32, global>, %i: index, %v: f32, %c: i1) -> (f32, f32, f32, f32) {
  ocl.store %v, %p[%i] : !ocl.ptr<f32, global>
  %a = ocl.load %p[%i] : !ocl.ptr<f32, global>
  %b = ocl.load %p : !ocl.ptr<f32, global>
  scf.if %c {
    %d = ocl.load %p[%i] : !ocl.ptr<f32, global>
    ocl.store %d, %q : !ocl.ptr<f32, global>
  }
  %e = ocl.load %p[%i] : !ocl.ptr<f32, global>
  ocl.store volatile %v, %p[%i] : !ocl.ptr<f32, global>
  %f = ocl.load %p[%i] : !ocl.ptr<f32, global>
  func.return %a, %b, %e, %f : f32, f32, f32, f32
}
// CHECK-LABEL: func.func @stored
// CHECK-NEXT:    ocl.store %v, %p[%i]
// CHECK-NEXT:    %b = ocl.load %p :
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      ocl.store %v, %q
// CHECK-NEXT:    }
// CHECK-NEXT:    %e = ocl.load %p[%i]
// CHECK-NEXT:    ocl.store volatile %v, %p[%i]
// CHECK-NEXT:    %f = ocl.load %p[%i]
// CHECK-NEXT:    func.return %v, %b, %e, %f

// A division that is made again has a result.
func.func @divided(%a: i32, %b: i32) -> (i32, i32, i32) {
  %x = arith.divsi %a, %b : i32
  %y = arith.divsi %a, %b : i32
  %z = arith.divsi %b, %a : i32
  func.return %x, %y, %z : i32, i32, i32
}
// CHECK-LABEL: func.func @divided
// CHECK-NEXT:    %x = arith.divsi %a, %b
// CHECK-NEXT:    %z = arith.divsi %b, %a
// CHECK-NEXT:    func.return %x, %x, %z

// A vector that was read is known after stores of its components, until something else is written;
// one that was not is read.
func.func @components(%p: !ocl.ptr<vector<2xf32>, global>, %i: index, %x: f32) -> (vector<2xf32>, vector<2xf32>) {
  %c1 = arith.constant 1 : index
  %v = ocl.load %p[%i] : !ocl.ptr<vector<2xf32>, global>
  %at = ocl.offset %p[%i] : !ocl.ptr<vector<2xf32>, global>
  %components = ocl.cast %at : !ocl.ptr<vector<2xf32>, global> to !ocl.ptr<f32, global>
  ocl.store %x, %components[%c1] : !ocl.ptr<f32, global>
  %known = ocl.load %p[%i] : !ocl.ptr<vector<2xf32>, global>
  ocl.store %x, %components[%i] : !ocl.ptr<f32, global>
  %read = ocl.load %p[%i] : !ocl.ptr<vector<2xf32>, global>
  func.return %known, %read : vector<2xf32>, vector<2xf32>
}
// CHECK-LABEL: func.func @components
// CHECK:         ocl.store %x, %components[%c1]
// CHECK-NEXT:    %[[KNOWN:.*]] = vector.insert %x, %v [1] : f32 into vector<2xf32>
// CHECK-NEXT:    ocl.store %x, %components[%i]
// CHECK-NEXT:    %read = ocl.load %p[%i]
// CHECK-NEXT:    func.return %[[KNOWN]], %read

// A store of one field of a record, or of a component of it, leaves the others known; an element that is not known
// may lie anywhere, and the fields of a union share their bytes.
func.func @fields(%p: !ocl.ptr<!ocl.struct<"R", {a: f32, v: vector<2xf32>}>, global>, %u: !ocl.ptr<!ocl.union<"U", {a: f32, b: f32}>, global>, %i: index, %x: f32) -> (f32, f32, f32) {
  %c1 = arith.constant 1 : index
  %a = ocl.member %p["a"] : !ocl.ptr<!ocl.struct<"R", {a: f32, v: vector<2xf32>}>, global> -> !ocl.ptr<f32, global>
  %v = ocl.member %p["v"] : !ocl.ptr<!ocl.struct<"R", {a: f32, v: vector<2xf32>}>, global> -> !ocl.ptr<vector<2xf32>, global>
  %components = ocl.cast %v : !ocl.ptr<vector<2xf32>, global> to !ocl.ptr<f32, global>
  ocl.store %x, %a : !ocl.ptr<f32, global>
  ocl.store %x, %components[%c1] : !ocl.ptr<f32, global>
  %known = ocl.load %a : !ocl.ptr<f32, global>
  ocl.store %x, %components[%i] : !ocl.ptr<f32, global>
  %read = ocl.load %a : !ocl.ptr<f32, global>
  %ua = ocl.member %u["a"] : !ocl.ptr<!ocl.union<"U", {a: f32, b: f32}>, global> -> !ocl.ptr<f32, global>
  %ub = ocl.member %u["b"] : !ocl.ptr<!ocl.union<"U", {a: f32, b: f32}>, global> -> !ocl.ptr<f32, global>
  ocl.store %read, %ua : !ocl.ptr<f32, global>
  ocl.store %x, %ub : !ocl.ptr<f32, global>
  %shared = ocl.load %ua : !ocl.ptr<f32, global>
  func.return %known, %read, %shared : f32, f32, f32
}
// CHECK-LABEL: func.func @fields
// CHECK:         ocl.store %x, %components[%c1]
// CHECK-NEXT:    ocl.store %x, %components[%i]
// CHECK-NEXT:    %read = ocl.load %a
// CHECK:         %shared = ocl.load %ua
// CHECK-NEXT:    func.return %x, %read, %shared

// A store to another parameter changes nothing, if they do not overlap; one to local memory does not in any case.
ocl.kernel @other_arrays(%p: !ocl.ptr<i32, global> {ocl.name = "p"}, %q: !ocl.ptr<i32, global> {ocl.name = "q"}, %l: !ocl.ptr<i32, local> {ocl.name = "l"}) {
  %a = ocl.load %p : !ocl.ptr<i32, global>
  ocl.store %a, %l : !ocl.ptr<i32, local>
  %b = ocl.load %p : !ocl.ptr<i32, global>
  ocl.store %b, %q : !ocl.ptr<i32, global>
  %c = ocl.load %p : !ocl.ptr<i32, global>
  %d = ocl.load %q : !ocl.ptr<i32, global>
  %e = arith.addi %c, %d : i32
  ocl.store %e, %p : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @other_arrays
// CHECK:         %a = ocl.load %p
// CHECK-NEXT:    ocl.store %a, %l
// CHECK-NEXT:    ocl.store %a, %q
// CHECK-NEXT:    %c = ocl.load %p
// CHECK-NEXT:    %e = arith.addi %c, %a : i32
// DISTINCT-LABEL: ocl.kernel @other_arrays
// DISTINCT:         %a = ocl.load %p
// DISTINCT-NEXT:    ocl.store %a, %l
// DISTINCT-NEXT:    ocl.store %a, %q
// DISTINCT-NEXT:    %e = arith.addi %a, %a : i32
// DISTINCT-NEXT:    ocl.store %e, %p
