// RUN: ocl-opt %s -p remove-dead-values --split-input-file | filecheck %s

// A carried value that only leads to itself is gone, with what it uses; so is the result.

func.func @loop(%p: !ocl.ptr<f32, global>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = ocl.load %p : !ocl.ptr<f32, global>
  %g = ocl.load %p[%c1] : !ocl.ptr<f32, global>
  %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%x = %f, %y = %g) -> (f32, f32) {
    %v = arith.addf %x, %x : f32
    %w = arith.mulf %y, %v : f32
    scf.yield %v, %w : f32, f32
  }
  func.return %a : f32
}

// CHECK-LABEL: @loop
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %f = ocl.load %p : !ocl.ptr<f32, global>
// CHECK-NEXT:      %a = scf.for %i = %c0 to %n step %c1 iter_args(%x = %f) -> (f32) {
// CHECK-NEXT:        %v = arith.addf %x, %x : f32
// CHECK-NEXT:        scf.yield %v : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %a : f32
// CHECK-NEXT:    }

// -----

// What is carried may be needed by another value that is.

func.func @needed(%f: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%x = %f, %y = %f) -> (f32, f32) {
    %w = arith.mulf %y, %f : f32
    scf.yield %w, %w : f32, f32
  }
  func.return %a : f32
}

// CHECK-LABEL: @needed
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%x = %f, %y = %f) -> (f32, f32) {
// CHECK-NEXT:        %w = arith.mulf %y, %f : f32
// CHECK-NEXT:        scf.yield %w, %w : f32, f32
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %a : f32
// CHECK-NEXT:    }

// -----

// Loops that may not end stay; their results and their carried values are apart.

func.func @while(%n: i32, %f: f32) -> i32 {
  %one = arith.constant 1 : i32
  %r, %s = scf.while (%i = %n, %x = %f) : (i32, f32) -> (i32, f32) {
    %c = arith.cmpi sgt, %i, %one : i32
    %j = arith.muli %i, %n : i32
    scf.condition(%c) %j, %x : i32, f32
  } do {
  ^bb0(%k: i32, %y: f32):
    %l = arith.subi %k, %one : i32
    %z = arith.addf %y, %y : f32
    scf.yield %l, %z : i32, f32
  }
  func.return %r : i32
}

// CHECK-LABEL: @while
// CHECK-NEXT:      %one = arith.constant 1 : i32
// CHECK-NEXT:      %r = scf.while (%i = %n) : (i32) -> i32 {
// CHECK-NEXT:        %c = arith.cmpi sgt, %i, %one : i32
// CHECK-NEXT:        %j = arith.muli %i, %n : i32
// CHECK-NEXT:        scf.condition(%c) %j : i32
// CHECK-NEXT:      } do {
// CHECK-NEXT:      ^bb0(%k: i32):
// CHECK-NEXT:        %l = arith.subi %k, %one : i32
// CHECK-NEXT:        scf.yield %l : i32
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r : i32
// CHECK-NEXT:    }

// -----

// A branch without results and effects is gone; an effect keeps what is around it.

func.func @branches(%p: !ocl.ptr<i32, global>, %a: i32, %c: i1) {
  %r, %s = scf.if %c -> (i32, i32) {
    ocl.store %a, %p : !ocl.ptr<i32, global>
    %v = ocl.load volatile %p : !ocl.ptr<i32, global>
    %w = ocl.load %p : !ocl.ptr<i32, global>
    scf.yield %w, %a : i32, i32
  } else {
    scf.yield %a, %a : i32, i32
  }
  %t = scf.if %c -> (i32) {
    scf.yield %r : i32
  } else {
    %u = arith.addi %s, %a : i32
    scf.yield %u : i32
  }
  func.return
}

// CHECK-LABEL: @branches
// CHECK-NEXT:      scf.if %c {
// CHECK-NEXT:        ocl.store %a, %p : !ocl.ptr<i32, global>
// CHECK-NEXT:        %v = ocl.load volatile %p : !ocl.ptr<i32, global>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
