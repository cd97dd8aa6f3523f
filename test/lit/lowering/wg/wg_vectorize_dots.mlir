// RUN: ocl-opt %s -p wg-vectorize | filecheck %s

// A dot product of bytes that ocl-expand-builtins has kept is one operation for all lanes.

wg.func @k(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %y: !ocl.ptr<i32, global> {ocl.name = "y"}) {
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  wg.parallel (%i, %j, %k) in (%c64, %c1, %c1) {
    %a = ocl.load %x[%i] : !ocl.ptr<i32, global>
    %b = ocl.load %y[%i] : !ocl.ptr<i32, global>
    %r = ocl.builtin "dot_4x8packed_us_int"(%a, %b) : (i32, i32) -> i32
    ocl.store %r, %x[%i] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK: %r = ocl.builtin "dot_4x8packed_us_int"(%a, %b) : (vector<16xi32>, vector<16xi32>) -> vector<16xi32>
