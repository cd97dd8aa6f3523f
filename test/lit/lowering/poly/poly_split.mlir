// RUN: ocl-opt %s -p poly-split | filecheck %s
// RUN: ocl-opt %s -p "poly-split{predicates=full}" | filecheck %s --check-prefix FULL
// RUN: ocl-opt %s -p "poly-split{max-codelets=2 width=16}" | filecheck %s --check-prefix TWO
// RUN: ocl-opt %s -p "poly-split{max-ops=100}" --remarks 2>&1 >/dev/null | filecheck %s --check-prefix BUDGET
// RUN: not ocl-opt %s -p "poly-split{dims=1}" 2>&1 | filecheck %s --check-prefix DIMENSION
// RUN: not ocl-opt %s -p "poly-split{predicates=tiles}" 2>&1 | filecheck %s --check-prefix PREDICATE
// RUN: not ocl-opt %s -p "poly-split{width=12}" 2>&1 | filecheck %s --check-prefix WIDTH

// A neighbour, or the border itself, for those work-items that are in the buffer. In the interior
// all work-items of a tile read neighbouring elements and pass the guard. The tile at the border
// is divergent, and so is one with the end of the buffer in it; groups that fill no tile are left
// to work-items one by one.
func.func @blur(%L0: index, %G0: index, %n: index, %p: !ocl.ptr<f32, global>) {
  poly.kernel @blur(%L0, %G0, %n) params ["L0", "G0", "n"] work_items ["x"] context #poly.set<"[L0, G0] -> { : L0 > 0 and G0 >= 0 }"> {
  ^bb0(%x: index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %i = arith.addi %G0, %x : index
    %in = arith.cmpi slt, %i, %n : index
    scf.if %in {
      %before = arith.subi %i, %c1 : index
      %left = arith.maxsi %before, %c0 : index
      %v = ocl.load %p[%left] : !ocl.ptr<f32, global>
      ocl.store %v, %p[%i] : !ocl.ptr<f32, global>
    }
  }
  func.return
}

// CHECK:      poly.kernel @blur(%L0, %G0, %n)
// CHECK-NEXT: ^bb0(%x: index):
// CHECK-NEXT:   poly.subkernel @blur_x along 0 width 8 domain #poly.set<"[G0, L0, n] -> { R[x] : {{.*}} }"> {
// CHECK-NEXT:     poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = cons, ctl = uniform> domain #poly.set<"[G0, L0, n] -> { interior[t] : {{.*}} }"> {
// CHECK-NEXT:     ^bb0(%{{.*}}: index):
// CHECK:            scf.if
// CHECK:          poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = cons, ctl = mixed> domain #poly.set<"[G0, L0, n] -> { mixed[t] : {{.*}} }"> {
// CHECK:          poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = div, ctl = mixed> domain #poly.set<"[G0, L0, n] -> { divergent[t = 0] : G0 = 0 and {{.*}} }"> {
// CHECK:          poly.codelet lanes 1 along 0 class #poly.class<tile = partial, mem = div, ctl = mixed> domain #poly.set<"[G0, L0, n] -> { partial[x] : {{.*}} }"> {
// CHECK:        poly.subkernel @blur_scalar along 0 width 1 domain
// CHECK-NEXT:     poly.codelet lanes 1

// FULL:     poly.subkernel @blur_x
// FULL-NEXT:  poly.codelet lanes 8 along 0 class #poly.class<tile = full, mem = div, ctl = mixed> domain #poly.set<"[G0, L0, n] -> { full[t] : {{.*}} }"> {
// FULL:       poly.codelet lanes 1 along 0 {{.*}} { partial[x]

// TWO:      poly.subkernel @blur_x along 0 width 16
// TWO-NEXT:   poly.codelet lanes 16 {{.*}} { interior[t]
// TWO:        poly.codelet lanes 16 {{.*}} { divergent[t
// TWO:        poly.codelet lanes 1 {{.*}} { partial[x]
// TWO:      poly.subkernel @blur_scalar

// BUDGET: poly_split.mlir:14:3: remark: only full tiles are split off: isl needed more than 100 operations [poly-split]
// BUDGET: poly_split.mlir:14:3: remark: along x: full, partial [poly-split]

// DIMENSION: poly_split.mlir:14:3: error: {{.*}}poly-split: dims names 1, but the kernel has no such dimension
// PREDICATE: poly-split: there is no predicate 'tiles'; the predicates: full, mem, ctl
// WIDTH: poly-split: width must be a power of two from 2, got 12
