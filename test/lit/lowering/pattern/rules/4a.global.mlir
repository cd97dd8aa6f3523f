// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="4a.global"}' -t pattern-paper | filecheck %s
// RUN: ocl-opt %s -p 'pattern-derive{function="both" steps="4a.global dim=1; 4a.global dim=0 @fn"}' -t pattern-paper | filecheck %s --check-prefix CHECK2
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="4a.global @fn"}' 2>&1 | filecheck %s --check-prefix REFUSED

// map(f) -> map-global(f)

// CHECK: def matches(x) = map-global(map-seq(mult(3)))(x)
func.func @matches(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map %x as %row: !pattern.array<8, i32> {
    %m = pattern.map_seq %row as %e: i32 {
      %s = arith.muli %e, %three : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    pattern.yield %m : !pattern.array<8, i32>
  } : !pattern.array<N, 8, i32>
  func.return %r : !pattern.array<N, 8, i32>
}

// CHECK2: def both(x) = map-global-1(map-global(mult(3)))(x)
func.func @both(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map %x as %row: !pattern.array<8, i32> {
    %m = pattern.map %row as %e: i32 {
      %s = arith.muli %e, %three : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    pattern.yield %m : !pattern.array<8, i32>
  } : !pattern.array<N, 8, i32>
  func.return %r : !pattern.array<N, 8, i32>
}

// REFUSED: <steps>:1:1: error: 4a.global does not apply at @fn: map: it stands in a 'pattern.map_workgroup', whose work-items are chosen already
func.func @refuses(%x: !pattern.array<N, 8, i32>) -> !pattern.array<N, 8, i32> {
  %three = arith.constant 3 : i32
  %r = pattern.map_workgroup %x as %row: !pattern.array<8, i32> {
    %m = pattern.map %row as %e: i32 {
      %s = arith.muli %e, %three : i32
      pattern.yield %s : i32
    } : !pattern.array<8, i32>
    pattern.yield %m : !pattern.array<8, i32>
  } : !pattern.array<N, 8, i32>
  func.return %r : !pattern.array<N, 8, i32>
}
