// RUN: ocl-opt %s -p 'pattern-apply{rule="3c" at="map" n=64},pattern-apply{rule="4a.workgroup" at="map" dim=1}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-apply{rule="3c" at="map/in" n=64}' 2>&1 | filecheck %s --check-prefix NOWHERE
// RUN: not ocl-opt %s -p 'pattern-apply{rule="3c" at="map" m=64}' 2>&1 | filecheck %s --check-prefix PARAMETER
// RUN: not ocl-opt %s -p 'pattern-apply{rule="3g" at="map"}' 2>&1 | filecheck %s --check-prefix RULE

// CHECK: def triple(x) = join o map-workgroup-1(map(mult(3))) o split-64(x)
// NOWHERE: error: there is no place @map/in: 'in' of pattern.map is made by nothing: it is the argument %x
// PARAMETER: error: rule 3c has no parameter 'm'; its parameters: n
// RULE: error: unknown rule '3g'
func.func @triple(%x: !pattern.array<64*N, i32>) -> !pattern.array<64*N, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<64*N, i32>
  func.return %r : !pattern.array<64*N, i32>
}
