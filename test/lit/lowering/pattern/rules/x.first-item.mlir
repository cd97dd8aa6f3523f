// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.first-item n=3"}' | filecheck %s
// RUN: ocl-opt %s -p 'pattern-derive{function="matches" steps="x.first-item n=3"},pattern-to-ocl' | filecheck %s --check-prefix ITEMS
// RUN: not ocl-opt %s -p 'pattern-derive{function="matches" steps="x.first-item n=N"}' 2>&1 | filecheck %s --check-prefix SIZE
// RUN: not ocl-opt %s -p 'pattern-derive{function="refuses" steps="x.first-item n=3"}' 2>&1 | filecheck %s --check-prefix REFUSED

// map-global(f) -> map-global(f), from another work-item on

// CHECK: pattern.map_global %x as %e: i32 first 3 {
// ITEMS: [[BEGIN:%.*]] = arith.constant 3 : index
// ITEMS: [[END:%.*]] = arith.constant 67 : index
// ITEMS: [[ITEM:%.*]] = ocl.global_id 0
// ITEMS: arith.cmpi sge, [[ITEM]], [[BEGIN]]
// ITEMS: arith.cmpi slt, [[ITEM]], [[END]]
// ITEMS: scf.if
// ITEMS-NEXT: [[PLACE:%.*]] = arith.subi [[ITEM]], [[BEGIN]]
// ITEMS-NEXT: ocl.load %x[[[PLACE]]]
// ITEMS: pattern.launch @matches_0 global [80] local [16]
// SIZE: <steps>:1:1: error: x.first-item does not apply at @: map_global: n = N: expected a number of work-items
func.func @matches(%x: !pattern.array<64, i32>) -> !pattern.array<64, i32> {
  %three = arith.constant 3 : i32
  %m = pattern.map_global %x as %e: i32 {
    %s = arith.muli %e, %three : i32
    pattern.yield %s : i32
  } : !pattern.array<64, i32>
  func.return %m : !pattern.array<64, i32>
}

// REFUSED: <steps>:1:1: error: x.first-item does not apply at @: join: expected map_global, got join
func.func @refuses(%x: !pattern.array<8*N, i32>) -> !pattern.array<8*N, i32> {
  %m = pattern.split %x by 8 : !pattern.array<N, 8, i32>
  %j = pattern.join %m : !pattern.array<8*N, i32>
  func.return %j : !pattern.array<8*N, i32>
}
