// RUN: ocl-opt %s -p 'pattern-derive{steps="3c n=64 @map; 4a.workgroup @map; 4a.local @map_workgroup/fn"}' | filecheck %s
// RUN: ocl-opt %s -p 'pattern-derive{script="Inputs/triple.deriv" parameters="n=16"}' | filecheck %s --check-prefix FILE
// RUN: not ocl-opt %s -p 'pattern-derive{steps="3c n=64 @map; 4a.local @map"}' 2>&1 | filecheck %s --check-prefix LOCAL
// RUN: not ocl-opt %s -p 'pattern-derive{script="Inputs/triple.deriv" parameters="n=7"}' 2>&1 | filecheck %s --check-prefix SEVEN
// RUN: not ocl-opt %s -p 'pattern-derive{script="Inputs/triple.deriv" parameters="m=7"}' 2>&1 | filecheck %s --check-prefix TUNABLE
// RUN: not ocl-opt %s -p 'pattern-derive{script="no.deriv"}' 2>&1 | filecheck %s --check-prefix MISSING
// RUN: not ocl-opt %s -p 'pattern-derive' 2>&1 | filecheck %s --check-prefix NEITHER
// RUN: not ocl-opt %s -p 'pattern-derive{steps="3c n=64 @map" function=double}' 2>&1 | filecheck %s --check-prefix FUNCTION

// CHECK-LABEL: func.func @triple(
// CHECK-NEXT: %three = arith.constant 3
// CHECK-NEXT: %0 = pattern.split %x by 64 : !pattern.array<N, 64, i32>
// CHECK-NEXT: %1 = pattern.map_workgroup %0 as %2: !pattern.array<64, i32> {
// CHECK-NEXT:   %3 = pattern.map_local %2 as %e: i32 {
// CHECK-NEXT:     %s = arith.muli %e, %three : i32
// CHECK-NEXT:     pattern.yield %s : i32
// CHECK-NEXT:   } : !pattern.array<64, i32>
// CHECK-NEXT:   pattern.yield %3 : !pattern.array<64, i32>
// CHECK-NEXT: } : !pattern.array<N, 64, i32>
// CHECK-NEXT: %r = pattern.join %1 : !pattern.array<64*N, i32>
// CHECK-NEXT: func.return %r

// FILE: pattern.split %x by 16 : !pattern.array<4*N, 16, i32>
// FILE: pattern.map_global

// Each step stands at its place in the script.
// LOCAL: <steps>:2:2: error: 4a.local does not apply at @map: map: expected a 'pattern.map_workgroup' around it
// LOCAL-NEXT: 4a.local @map
// LOCAL-NEXT: ^
// LOCAL-NEXT: note: 4a.local is map(f) -> map-local(f)
// LOCAL-NEXT: note: the expression is join o map(map(mult(3))) o split-64

// SEVEN: Inputs/triple.deriv:3:1: error: 3c does not apply at @map: map: n = 7 does not divide the size 64*N
// TUNABLE: error: the derivation has no tunable 'm'; its tunables: n
// MISSING: error: cannot read the derivation 'no.deriv'
// NEITHER: expected either 'script' or 'steps'
// FUNCTION: error: expected a function 'double' in the module; it has: triple
func.func @triple(%x: !pattern.array<64*N, i32>) -> !pattern.array<64*N, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<64*N, i32>
  func.return %r : !pattern.array<64*N, i32>
}
