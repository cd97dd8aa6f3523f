// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

// A small table of constants: an index for each element, of which the low bits count.
func.func @tables(%i: i64, %j: vector<4xi32>) {
  %0 = vec.lookup %i in array<f64: 1.0, 1.5> : i64 to f64
  %1 = vec.lookup %j in array<f32: 1.0, 2.0, 3.0, 4.0> : vector<4xi32> to vector<4xf32>
  func.return
}
// CHECK-LABEL: func.func @tables
// CHECK-NEXT:    %0 = vec.lookup %i in array<f64: 1.000000e+00, 1.500000e+00> : i64 to f64
// CHECK-NEXT:    %1 = vec.lookup %j in array<f32: 1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00> : vector<4xi32> to vector<4xf32>
