// RUN: not ocl-opt %s -p 'pattern-to-ocl{aligned=true async_copies=true tensor_cores=90}' 2>&1 | filecheck %s

// Tensor cores read matrices of 64 rows from local memory only.

// CHECK: error: a is not in local memory as tensor cores read it: swizzled rows of 64 elements along k, or blocks of 64 rows of a, whose elements are side by side for each k
func.func @f(%A: !pattern.array<4, 64, 64, f16>, %B: !pattern.array<4, 8, 64, f16>) -> !pattern.array<1, 1, 64, 8, f32> {
  %zero = arith.constant 0.0 : f32
  %groups = pattern.generate as %g: index {
    pattern.yield %g : index
  } : !pattern.array<1, index>
  %r = pattern.map_workgroup %groups as %g: index {
    %zeros = pattern.generate as %i: index {
      %row = pattern.generate as %j: index {
        pattern.yield %zero : f32
      } : !pattern.array<8, f32>
      pattern.yield %row : !pattern.array<8, f32>
    } : !pattern.array<64, 8, f32>
    %steps = pattern.zip %A, %B : !pattern.array<4, tuple<!pattern.array<64, 64, f16>, !pattern.array<8, 64, f16>>>
    %sums = pattern.reduce_seq %steps init %zeros as %acc: !pattern.array<64, 8, f32>, (%a: !pattern.array<64, 64, f16>, %b: !pattern.array<8, 64, f16>) {
      %d = pattern.mma %a, %b, %acc : !pattern.array<64, 8, f32>
      pattern.yield %d : !pattern.array<64, 8, f32>
    } : !pattern.array<1, 64, 8, f32>
    %kept = pattern.to_private %sums : !pattern.array<1, 64, 8, f32>
    %out = pattern.map_seq %kept as %s: !pattern.array<64, 8, f32> {
      pattern.yield %s : !pattern.array<64, 8, f32>
    } : !pattern.array<1, 64, 8, f32>
    pattern.yield %out : !pattern.array<1, 64, 8, f32>
  } : !pattern.array<1, 1, 64, 8, f32>
  func.return %r : !pattern.array<1, 1, 64, 8, f32>
}
