// RUN: not ocl-opt %s -p "pattern-to-ocl" 2>&1 | filecheck %s

// Another work-item has the element that is read.

// CHECK: error: it accesses element {{.*}} of the work-items along dimension 0; in private memory only one work-item has it
func.func @sums(%x: !pattern.array<4, 3, 8, f32>) -> !pattern.array<4, 8, f32> {
  %zero = arith.constant 0.0 : f32
  %g = pattern.map_workgroup %x as %c: !pattern.array<3, 8, f32> {
    %z = pattern.generate as %i: index {
      pattern.yield %zero : f32
    } : !pattern.array<8, f32>
    %r = pattern.reduce_seq %c init %z as %acc: !pattern.array<8, f32>, %row: !pattern.array<8, f32> {
      %p = pattern.zip %acc, %row : !pattern.array<8, tuple<f32, f32>>
      %m = pattern.map_local %p as (%a: f32, %b: f32) {
        %s = arith.addf %a, %b : f32
        pattern.yield %s : f32
      } : !pattern.array<8, f32>
      pattern.yield %m : !pattern.array<8, f32>
    } : !pattern.array<1, 8, f32>
    %own = pattern.to_private %r : !pattern.array<1, 8, f32>
    %i = arith.constant 0 : index
    %last = pattern.at %own[%i] : !pattern.array<8, f32>
    %turned = pattern.reorder_stride %last by 2 : !pattern.array<8, f32>
    %out = pattern.map_local %turned as %e: f32 {
      pattern.yield %e : f32
    } : !pattern.array<8, f32>
    pattern.yield %out : !pattern.array<8, f32>
  } : !pattern.array<4, 8, f32>
  func.return %g : !pattern.array<4, 8, f32>
}
