// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.pad-map n=3"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.pad-map n=3"}' 2>&1 | filecheck %s --check-prefix REFUSED

// map(f) -> take^N o map(f) o pad-0-n-clamp

// CHECK: def matches(x) = take-(8*N) o map(mult(3)) o pad-0-3-clamp(x)
func.func @matches(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %three = arith.constant 3 : i32
  %m = pattern.map %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<8*N, i32>
  func.return %m : !pattern.array<8*N, i32>
}

// REFUSED: <steps>:1:1: error: x.pad-map does not apply at @: join: expected map, got join
func.func @refuses(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %m = pattern.split %x by 8 : !pattern.array<N, 8, i32>
  %j = pattern.join %m : !pattern.array<8*N, i32>
  func.return %j : !pattern.array<8*N, i32>
}
