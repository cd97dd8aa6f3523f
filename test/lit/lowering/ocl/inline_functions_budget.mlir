// RUN: ocl-opt %s -p "inline-functions{budget=40}" | filecheck %s
// RUN: ocl-opt %s -p "inline-functions{budget=40}" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK
// RUN: ocl-opt %s -p "inline-functions{budget=0}" | filecheck %s --check-prefix=ALL
// RUN: ocl-opt %s -p "inline-functions{budget=60}" | filecheck %s --check-prefix=NONE

// With everything inlined the kernel has 47 operations. `@mix` is there three times, which is most
// of them: it stays. `@small` saves less than it, and the rest fits the budget: it is inlined.
// CHECK: func.func private @mix
// CHECK-NOT: func.func private @small
// CHECK-NOT: func.func private @wait
// CHECK-NOT: func.func private @unused
// CHECK: ocl.kernel @k
// CHECK: func.call @mix
// CHECK-NOT: func.call @small
// REMARK: inline_functions_budget.mlir:{{.*}}: remark: 'mix' stays a function: its copies would exceed the budget [inline-functions]

// With a budget of 0 all functions stay that may: not `@wait`, which has a barrier.
// ALL: func.func private @mix
// ALL: func.func private @small
// ALL-NOT: func.func private @wait
// ALL: ocl.kernel @k
// ALL: ocl.barrier local

// NONE-NOT: func.func
func.func private @mix(%x: i32, %y: i32) -> i32 {
  %0 = arith.muli %x, %y : i32
  %1 = arith.xori %0, %x : i32
  %2 = arith.addi %1, %y : i32
  %3 = arith.muli %2, %1 : i32
  %4 = arith.xori %3, %2 : i32
  %5 = arith.addi %4, %3 : i32
  %6 = arith.muli %5, %4 : i32
  %7 = arith.xori %6, %5 : i32
  %8 = arith.addi %7, %6 : i32
  func.return %8 : i32
}
func.func private @small(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  func.return %0 : i32
}
func.func private @wait() {
  ocl.barrier local
  func.return
}
func.func private @unused(%x: i32) -> i32 {
  %0 = func.call @mix(%x, %x) : (i32, i32) -> i32
  func.return %0 : i32
}
ocl.kernel @k(%p: !ocl.ptr<i32, global> {ocl.name = "p"}) {
  %g = ocl.global_id 0 : index
  %a = ocl.load %p[%g] : !ocl.ptr<i32, global>
  %b = func.call @small(%a) : (i32) -> i32
  %c = func.call @mix(%a, %b) : (i32, i32) -> i32
  %d = func.call @small(%c) : (i32) -> i32
  %e = func.call @mix(%c, %d) : (i32, i32) -> i32
  func.call @wait() : () -> ()
  %f = func.call @mix(%e, %c) : (i32, i32) -> i32
  ocl.store %f, %p[%g] : !ocl.ptr<i32, global>
  ocl.return
}
