// RUN: ocl-opt %s -p "expand-math{scales=true}" | filecheck %s
// RUN: ocl-opt %s -p expand-math | filecheck %s --check-prefix=PLAIN

// e^x = 2^n p: for processors that have an instruction, the product with 2^n is one operation.
// Otherwise a quarter of n is added to the bits of p, which is multiplied by 2 to the power of the
// rest.
func.func @exp(%x: vector<16xf32>) -> vector<16xf32> {
  %y = math.exp %x : vector<16xf32>
  func.return %y : vector<16xf32>
}
// CHECK-LABEL: func.func @exp
// CHECK:         %[[N:.*]] = arith.subf %{{.*}}, %{{.*}} {ocl.no_contract} : vector<16xf32>
// CHECK-NOT:     arith.shli
// CHECK:         %y = vec.scale %{{.*}}, %[[N]] : vector<16xf32>
// CHECK-NEXT:    func.return %y

// PLAIN-LABEL: func.func @exp
// PLAIN:         arith.shrsi
// PLAIN-NOT:     vec.scale
// PLAIN:         %y = math.fma
