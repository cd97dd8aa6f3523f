// RUN: ocl-opt %s -p canonicalize | filecheck %s

// A comparison of a vector with itself is not a scalar; an unused extension goes.

// CHECK:      func.func @same(%a: vector<4xi32>) -> vector<4xi1> {
// CHECK-NEXT:   %0 = vec.cmpi eq, %a, %a : vector<4xi32>
// CHECK-NEXT:   func.return %0 : vector<4xi1>
// CHECK-NEXT: }
func.func @same(%a: vector<4xi32>) -> vector<4xi1> {
  %0 = vec.cmpi eq, %a, %a : vector<4xi32>
  %1 = vec.extsi %a : vector<4xi32> to vector<4xi64>
  func.return %0 : vector<4xi1>
}
