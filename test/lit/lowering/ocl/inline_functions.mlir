// RUN: ocl-opt %s -p inline-functions | filecheck %s

// Callees come first: @fourth is flat when the kernel takes it over. No function is left.

func.func private @square(%x: f32) -> f32 {
  %r = arith.mulf %x, %x : f32
  func.return %r : f32
}
func.func private @fourth(%x: f32) -> f32 {
  %a = func.call @square(%x) : (f32) -> f32
  %b = func.call @square(%a) : (f32) -> f32
  func.return %b : f32
}
ocl.kernel @power(%p: !ocl.ptr<f32, global> {ocl.name = "p"}) {
  %v = ocl.load %p : !ocl.ptr<f32, global>
  %w = func.call @fourth(%v) : (f32) -> f32
  ocl.store %w, %p : !ocl.ptr<f32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @power(%p: !ocl.ptr<f32, global> {ocl.name = "p"}) {
// CHECK-NEXT:    %v = ocl.load %p : !ocl.ptr<f32, global>
// CHECK-NEXT:    %r = arith.mulf %v, %v : f32
// CHECK-NEXT:    %r_1 = arith.mulf %r, %r : f32
// CHECK-NEXT:    ocl.store %r_1, %p : !ocl.ptr<f32, global>
// CHECK-NEXT:    ocl.return
// CHECK-NEXT:  }

// A function may return its argument; one without results may hold a barrier.
func.func private @same(%x: i32) -> i32 {
  func.return %x : i32
}
func.func private @wait() {
  ocl.barrier local
  func.return
}
ocl.kernel @trivial(%p: !ocl.ptr<i32, global> {ocl.name = "p"}) {
  %v = ocl.load %p : !ocl.ptr<i32, global>
  %w = func.call @same(%v) : (i32) -> i32
  func.call @wait() : () -> ()
  ocl.store %w, %p : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @trivial(%p: !ocl.ptr<i32, global> {ocl.name = "p"}) {
// CHECK-NEXT:    %v = ocl.load %p : !ocl.ptr<i32, global>
// CHECK-NEXT:    ocl.barrier local
// CHECK-NEXT:    ocl.store %v, %p : !ocl.ptr<i32, global>
// CHECK-NEXT:    ocl.return
// CHECK-NEXT:  }

// Private memory of a function that is called in a loop is allocated once, at the top.
func.func private @first(%i: index) -> i32 {
  %m = ocl.alloca : !ocl.ptr<!ocl.array<4 x i32>, private>
  %e = ocl.cast %m : !ocl.ptr<!ocl.array<4 x i32>, private> to !ocl.ptr<i32, private>
  %v = ocl.load %e[%i] : !ocl.ptr<i32, private>
  func.return %v : i32
}
ocl.kernel @loop(%p: !ocl.ptr<i32, global> {ocl.name = "p"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = ocl.global_size 0 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = func.call @first(%i) : (index) -> i32
    ocl.store %v, %p[%i] : !ocl.ptr<i32, global>
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @loop(%p: !ocl.ptr<i32, global> {ocl.name = "p"}) {
// CHECK-NEXT:    %m = ocl.alloca : !ocl.ptr<!ocl.array<4 x i32>, private>
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    %n = ocl.global_size 0 : index
// CHECK-NEXT:    scf.for %i = %c0 to %n step %c1 {
// CHECK-NEXT:      %e = ocl.cast %m : !ocl.ptr<!ocl.array<4 x i32>, private> to !ocl.ptr<i32, private>
// CHECK-NEXT:      %v = ocl.load %e[%i] : !ocl.ptr<i32, private>
// CHECK-NEXT:      ocl.store %v, %p[%i] : !ocl.ptr<i32, global>
// CHECK-NEXT:    }
// CHECK-NEXT:    ocl.return
// CHECK-NEXT:  }

// A function that others may call is kept.
func.func @twice(%x: i32) -> i32 {
  %r = arith.addi %x, %x : i32
  func.return %r : i32
}
ocl.kernel @public(%p: !ocl.ptr<i32, global> {ocl.name = "p"}) {
  %v = ocl.load %p : !ocl.ptr<i32, global>
  %w = func.call @twice(%v) : (i32) -> i32
  ocl.store %w, %p : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: func.func @twice(%x: i32) -> i32 {
// CHECK-NEXT:    %r = arith.addi %x, %x : i32
// CHECK-NEXT:    func.return %r : i32
// CHECK-NEXT:  }
// CHECK-NEXT:  ocl.kernel @public(%p: !ocl.ptr<i32, global> {ocl.name = "p"}) {
// CHECK-NEXT:    %v = ocl.load %p : !ocl.ptr<i32, global>
// CHECK-NEXT:    %r = arith.addi %v, %v : i32
// CHECK-NEXT:    ocl.store %r, %p : !ocl.ptr<i32, global>
// CHECK-NEXT:    ocl.return
// CHECK-NEXT:  }
