// RUN: ocl-opt %s -p "inline-functions{budget=20}" | filecheck %s

// Both functions are called twice, and save as much by staying. `@rotate` gets the addresses of variables, through its
// caller too, which would stay in memory for its calls: it is inlined. `@mix` gets a part of an array, and stays.
// CHECK: func.func private @mix
// CHECK-NOT: func.func
// CHECK: ocl.kernel @k
// CHECK-COUNT-2: func.call @mix
// CHECK-NOT: func.call
func.func private @mix(%h: !ocl.ptr<i32, private>) {
  %x = ocl.load %h : !ocl.ptr<i32, private>
  %0 = arith.muli %x, %x : i32
  %1 = arith.xori %0, %x : i32
  %2 = arith.muli %1, %x : i32
  %3 = arith.xori %2, %1 : i32
  ocl.store %3, %h : !ocl.ptr<i32, private>
  func.return
}
func.func private @rotate(%a: !ocl.ptr<i32, private>) {
  %x = ocl.load %a : !ocl.ptr<i32, private>
  %0 = arith.muli %x, %x : i32
  %1 = arith.xori %0, %x : i32
  %2 = arith.muli %1, %x : i32
  %3 = arith.xori %2, %1 : i32
  ocl.store %3, %a : !ocl.ptr<i32, private>
  func.return
}
func.func private @twice(%a: !ocl.ptr<i32, private>) {
  func.call @rotate(%a) : (!ocl.ptr<i32, private>) -> ()
  func.call @rotate(%a) : (!ocl.ptr<i32, private>) -> ()
  func.return
}
ocl.kernel @k(%p: !ocl.ptr<i32, global> {ocl.name = "p"}) {
  %v = ocl.alloca : !ocl.ptr<i32, private>
  %array = ocl.alloca : !ocl.ptr<!ocl.array<4 x i32>, private>
  %h = ocl.cast %array : !ocl.ptr<!ocl.array<4 x i32>, private> to !ocl.ptr<i32, private>
  %g = ocl.global_id 0 : index
  %a = ocl.load %p[%g] : !ocl.ptr<i32, global>
  ocl.store %a, %v : !ocl.ptr<i32, private>
  ocl.store %a, %h : !ocl.ptr<i32, private>
  func.call @twice(%v) : (!ocl.ptr<i32, private>) -> ()
  func.call @mix(%h) : (!ocl.ptr<i32, private>) -> ()
  func.call @mix(%h) : (!ocl.ptr<i32, private>) -> ()
  %b = ocl.load %v : !ocl.ptr<i32, private>
  %c = ocl.load %h : !ocl.ptr<i32, private>
  %d = arith.addi %b, %c : i32
  ocl.store %d, %p[%g] : !ocl.ptr<i32, global>
  ocl.return
}
