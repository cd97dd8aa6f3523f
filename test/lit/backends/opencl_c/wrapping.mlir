// RUN: ocl-opt %s -t opencl-c | filecheck %s --strict-whitespace --match-full-lines
// Sums in the IR wrap, those of signed integers in C must not. A kernel whose parameters do not
// say that their types come from C, where that held, computes on unsigned ones.
ocl.kernel @f(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %i = ocl.global_id 0 : index
  %a = ocl.load %x[%i] : !ocl.ptr<i32, global>
  %s = arith.addi %a, %n : i32
  %less = arith.cmpi slt, %s, %n : i32
  %t = arith.addi %a, %n overflow<nsw> : i32
  %r = arith.select %less, %s, %t : i32
  ocl.store %r, %x[%i] : !ocl.ptr<i32, global>
  ocl.return
}

//      CHECK:kernel void f(global int *x, int n) {  // wrapping.mlir:4
// CHECK-NEXT:  long i = get_global_id(0);  // wrapping.mlir:5
// CHECK-NEXT:  int a = x[i];  // wrapping.mlir:6
// CHECK-NEXT:  int s = (uint)a + n;  // wrapping.mlir:7
// CHECK-NEXT:  bool less = s < n;  // wrapping.mlir:8
// CHECK-NEXT:  int t = a + n;  // wrapping.mlir:9
// CHECK-NEXT:  int r = less ? s : t;  // wrapping.mlir:10
// CHECK-NEXT:  x[i] = r;  // wrapping.mlir:11
// CHECK-NEXT:}
