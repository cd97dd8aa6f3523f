// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.pad-scan n=3"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.pad-scan n=5"}' 2>&1 | filecheck %s --check-prefix REFUSED

// scan(f,z) -> take^N o scan(f,z) o pad-0-n-clamp

// CHECK: def matches(x, z) = take-N o scan-exclusive(max,z) o pad-0-3-clamp(x)
func.func @matches(%x: !pattern.array<N, i32>, %z: i32) -> !pattern.array<N, i32> {
  %r = pattern.scan %x init %z as %a: i32, %b: i32 exclusive {
    %s = arith.maxsi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<N, i32>
  func.return %r : !pattern.array<N, i32>
}

// REFUSED: <steps>:1:1: error: x.pad-scan does not apply at @: scan: n = 5 elements more would be most of the work: there are 5
func.func @refuses(%x: !pattern.array<5, i32>, %z: i32) -> !pattern.array<5, i32> {
  %r = pattern.scan %x init %z as %a: i32, %b: i32 {
    %s = arith.maxsi %a, %b : i32
    pattern.yield %s : i32
  } : !pattern.array<5, i32>
  func.return %r : !pattern.array<5, i32>
}
