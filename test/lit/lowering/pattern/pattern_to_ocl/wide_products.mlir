// RUN: ocl-opt %s -p 'pattern-to-ocl{aligned=true async_copies=true tensor_cores=90}' | filecheck %s
// RUN: ocl-opt %s -p 'pattern-to-ocl{aligned=true async_copies=true tensor_cores=80}' | filecheck %s --check-prefix=LOOPS

// A product of 64 x 8 elements, step by step: tiles of 64 x 64 and 8 x 64 elements are copied to
// local memory one step ahead. They have three buffers: the products of one step go on
// (`pending 1`) while the next one begins, so that the buffer of the step before may be written.

// CHECK: ocl.local_alloc : !ocl.ptr<!ocl.array<12288 x f16>, local>
// CHECK: ocl.local_alloc : !ocl.ptr<!ocl.array<1536 x f16>, local>
// Pieces of 16 bytes change places.
// CHECK: arith.xori
// CHECK: ocl.store {{.*}} {ocl.async} : !ocl.ptr<vector<8xf16>, local>
// CHECK: scf.for
// CHECK-NEXT: ocl.wait_copies 0 : i64 for_products
// CHECK-NEXT: ocl.barrier local
// CHECK: ocl.commit_copies
// CHECK: ocl.wgmma steps 64 pending 1
// CHECK: ocl.wait_products
// CHECK: ocl.return

// LOOPS: ocl.local_alloc : !ocl.ptr<!ocl.array<8192 x f16>, local>
// LOOPS-NOT: ocl.wgmma
// LOOPS: arith.mulf
func.func @f(%A: !pattern.array<4, 64, 64, f16>, %B: !pattern.array<4, 8, 64, f16>) -> !pattern.array<1, 1, 64, 8, f32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 0 : index
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
      %aj = pattern.join %a : !pattern.array<4096, f16>
      %av = pattern.as_vector %aj by 8 : !pattern.array<512, vector<8xf16>>
      %ac = pattern.map_local %av as %v: vector<8xf16> {
        pattern.yield %v : vector<8xf16>
      } : !pattern.array<512, vector<8xf16>>
      %as = pattern.as_scalar %ac : !pattern.array<4096, f16>
      %at = pattern.split %as by 64 : !pattern.array<64, 64, f16>
      %al = pattern.to_local %at ahead 1 swizzled : !pattern.array<64, 64, f16>
      %bj = pattern.join %b : !pattern.array<512, f16>
      %bv = pattern.as_vector %bj by 8 : !pattern.array<64, vector<8xf16>>
      %bc = pattern.map_local %bv as %v: vector<8xf16> {
        pattern.yield %v : vector<8xf16>
      } : !pattern.array<64, vector<8xf16>>
      %bs = pattern.as_scalar %bc : !pattern.array<512, f16>
      %bt = pattern.split %bs by 64 : !pattern.array<8, 64, f16>
      %bl = pattern.to_local %bt ahead 1 swizzled : !pattern.array<8, 64, f16>
      %d = pattern.mma %al, %bl, %acc : !pattern.array<64, 8, f32>
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
