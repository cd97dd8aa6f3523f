// RUN: ocl-opt %s -p "tta-schedule{machine=paper pipeline=true}" | filecheck %s
// RUN: ocl-opt %s -p "tta-schedule{machine=paper pipeline=true}" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Square each of n numbers: 3 cycles for a load, 5 for a product, 1 for the store, and a jump. An
// iteration begins every 7 cycles, and takes 10: its end overlaps with the begin of the next one.

// The first iteration begins. If it is the only one, its remaining cycles follow.
// CHECK-LABEL: tta.program @square on "paper"
// CHECK-LABEL: tta.block @block1 {
// CHECK: LSU{{.}}.in1t.ld32
// CHECK: tta.move block1_drain -> gcu.pc.jump bus {{[0-9]+}} if not [[MORE:BOOL[0-9]+.[0-9]+]]

// The product of one iteration is stored while the next iteration loads; it comes from a unit that
// was triggered when the block ran before.
// CHECK-LABEL: tta.block @block1_kernel {
// CHECK: tta.move RF{{.*}} -> LSU{{.}}.in1t.ld32
// CHECK: tta.move FMUL0.out1 -> [[UNIT:LSU.]].in2
// CHECK: tta.move block1_kernel -> gcu.pc.jump bus {{[0-9]+}} if [[MORE]]

// The last product is stored, and nothing is loaded any more.
// CHECK-LABEL: tta.block @block1_drain {
// CHECK-NOT: ld32
// CHECK: tta.move FMUL0.out1 -> [[UNIT]].in2
// CHECK-LABEL: tta.block @block2 {

// REMARK: block1_kernel: jump bound 4, achieved 7
func.func @square(%p : i32, %q : i32, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  cf.br ^loop(%p, %q, %c0 : i32, i32, i32)
^loop(%from : i32, %to : i32, %k : i32):
  %x = tta.load "ld32" %from {alias = #tta.alias<0, -1, -1>} : f32
  %y = arith.mulf %x, %x : f32
  tta.store "st32" %to, %y {alias = #tta.alias<1, -1, -1>} : f32
  %from2 = arith.addi %from, %c4 : i32
  %to2 = arith.addi %to, %c4 : i32
  %k2 = arith.addi %k, %c1 : i32
  %more = arith.cmpi ult, %k2, %n : i32
  cf.cond_br %more, ^loop(%from2, %to2, %k2 : i32, i32, i32), ^end
^end:
  func.return
}

// Nobody says that the arrays do not overlap: each load waits for the store before.
// REMARK: iterations of the loop do not overlap: memory (an iteration may access what the previous one stores) bound 9
func.func @unknown(%p : i32, %q : i32, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  cf.br ^loop(%p, %q, %c0 : i32, i32, i32)
^loop(%from : i32, %to : i32, %k : i32):
  %x = tta.load "ld32" %from : f32
  %y = arith.mulf %x, %x : f32
  tta.store "st32" %to, %y : f32
  %from2 = arith.addi %from, %c4 : i32
  %to2 = arith.addi %to, %c4 : i32
  %k2 = arith.addi %k, %c1 : i32
  %more = arith.cmpi ult, %k2, %n : i32
  cf.cond_br %more, ^loop(%from2, %to2, %k2 : i32, i32, i32), ^end
^end:
  func.return
}

// saxpy: the address that is loaded from is needed until the store, when the next iteration runs. So it is copied, and the
// copies of successive iterations have different registers: the kernel is unrolled. Its last part jumps back; the
// first one leaves for a drain of its own.
// REMARK: block1_kernel: jump bound 4, achieved 7
// REMARK: block1_kernel1: jump bound 4, achieved 7
// CHECK-LABEL: tta.program @saxpy on "paper"
// CHECK-LABEL: tta.block @block1_kernel {
// CHECK: tta.move block1_drain_kernel -> gcu.pc.jump bus {{[0-9]+}} if not
// CHECK: tta.move [[FIRST:RF[0-9.]+]] -> LSU{{.}}.in1t.st32
// CHECK-LABEL: tta.block @block1_kernel1 {
// CHECK: tta.move block1_kernel -> gcu.pc.jump bus {{[0-9]+}} if BOOL
// CHECK-NOT: [[FIRST]] -> LSU{{.}}.in1t.st32
// CHECK: -> LSU{{.}}.in1t.st32
// CHECK-LABEL: tta.block @block1_drain {
// CHECK-LABEL: tta.block @block1_drain_kernel {
func.func @saxpy(%p : i32, %q : i32, %n : i32, %a : f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  cf.br ^loop(%p, %q, %c0 : i32, i32, i32)
^loop(%from : i32, %to : i32, %k : i32):
  %x = tta.load "ld32" %from {alias = #tta.alias<0, -1, -1>} : f32
  %y = tta.load "ld32" %to {alias = #tta.alias<1, -1, -1>} : f32
  %z = arith.mulf %x, %a : f32
  %w = arith.addf %z, %y : f32
  tta.store "st32" %to, %w {alias = #tta.alias<1, -1, -1>} : f32
  %from2 = arith.addi %from, %c4 : i32
  %to2 = arith.addi %to, %c4 : i32
  %k2 = arith.addi %k, %c1 : i32
  %more = arith.cmpi ult, %k2, %n : i32
  cf.cond_br %more, ^loop(%from2, %to2, %k2 : i32, i32, i32), ^end {tta.parallel}
^end:
  func.return
}
