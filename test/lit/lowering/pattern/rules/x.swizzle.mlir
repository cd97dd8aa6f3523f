// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.swizzle @fn/in/in"}' -t pattern-paper | filecheck %s
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.swizzle @fn/in/in"}' 2>&1 | filecheck %s --check-prefix REFUSED

// toLocal(f) -> toLocal-swizzled(f)

// CHECK: def matches(x) = map-workgroup(map-local(id) o transpose o toLocal-swizzled(map-local(id)))(x)
func.func @matches(%x: !pattern.array<N, 4, 8, i32>) -> !pattern.array<N, 8, 4, i32> {
  %g = pattern.map_workgroup %x as %c: !pattern.array<4, 8, i32> {
    %l = pattern.map_local %c as %row: !pattern.array<8, i32> {
      pattern.yield %row : !pattern.array<8, i32>
    } : !pattern.array<4, 8, i32>
    %t = pattern.to_local %l : !pattern.array<4, 8, i32>
    %u = pattern.transpose %t : !pattern.array<8, 4, i32>
    %m = pattern.map_local %u as %row: !pattern.array<4, i32> {
      pattern.yield %row : !pattern.array<4, i32>
    } : !pattern.array<8, 4, i32>
    pattern.yield %m : !pattern.array<8, 4, i32>
  } : !pattern.array<N, 8, 4, i32>
  func.return %g : !pattern.array<N, 8, 4, i32>
}

// REFUSED: <steps>:1:1: error: x.swizzle does not apply at @fn/in/in: to_local: it is padded already
func.func @refuses(%x: !pattern.array<N, 4, 8, i32>) -> !pattern.array<N, 8, 4, i32> {
  %g = pattern.map_workgroup %x as %c: !pattern.array<4, 8, i32> {
    %l = pattern.map_local %c as %row: !pattern.array<8, i32> {
      pattern.yield %row : !pattern.array<8, i32>
    } : !pattern.array<4, 8, i32>
    %t = pattern.to_local %l pad 1 : !pattern.array<4, 8, i32>
    %u = pattern.transpose %t : !pattern.array<8, 4, i32>
    %m = pattern.map_local %u as %row: !pattern.array<4, i32> {
      pattern.yield %row : !pattern.array<4, i32>
    } : !pattern.array<8, 4, i32>
    pattern.yield %m : !pattern.array<8, 4, i32>
  } : !pattern.array<N, 8, 4, i32>
  func.return %g : !pattern.array<N, 8, 4, i32>
}
