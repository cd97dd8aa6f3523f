// RUN: ocl-opt %s -p pattern-to-ocl | filecheck %s

// Two vectors in flight: the function of a map that is unrolled is made for all elements at once,
// so that the reductions in it are one loop with two accumulators. They are registers: the array
// of the two sums is read by a loop that is unrolled for that.
//
// The last reduction needs what all groups have computed: it is a kernel of its own, and the host
// allocates what is between them.

func.func @asum(%x : !pattern.array<2048, f32>) -> !pattern.array<1, f32> {
  %z = arith.constant 0.0 : f32
  %zv = arith.constant dense<0.0> : vector<4xf32>
  %c = pattern.split %x by 512 : !pattern.array<4, 512, f32>
  %g = pattern.map_workgroup %c as %chunk : !pattern.array<512, f32> {
    %v = pattern.as_vector %chunk by 4 : !pattern.array<128, vector<4xf32>>
    %r = pattern.reorder_stride %v by 2 : !pattern.array<128, vector<4xf32>>
    %s = pattern.split %r by 64 : !pattern.array<2, 64, vector<4xf32>>
    %l = pattern.map_seq %s as %half : !pattern.array<64, vector<4xf32>> unroll {
      %a = pattern.reduce_seq %half init %zv as %acc : vector<4xf32>, %e : vector<4xf32> {
        %f = math.absf %e : vector<4xf32>
        %t = arith.addf %acc, %f : vector<4xf32>
        pattern.yield %t : vector<4xf32>
      } : !pattern.array<1, vector<4xf32>>
      pattern.yield %a : !pattern.array<1, vector<4xf32>>
    } : !pattern.array<2, 1, vector<4xf32>>
    %j = pattern.join %l : !pattern.array<2, vector<4xf32>>
    %b = pattern.reduce_seq %j init %zv as %acc : vector<4xf32>, %e : vector<4xf32> {
      %t = arith.addf %acc, %e : vector<4xf32>
      pattern.yield %t : vector<4xf32>
    } : !pattern.array<1, vector<4xf32>>
    %w = pattern.as_scalar %b : !pattern.array<4, f32>
    %one = pattern.reduce_seq %w init %z as %acc : f32, %e : f32 {
      %t = arith.addf %acc, %e : f32
      pattern.yield %t : f32
    } : !pattern.array<1, f32>
    pattern.yield %one : !pattern.array<1, f32>
  } : !pattern.array<4, 1, f32>
  %p = pattern.join %g : !pattern.array<4, f32>
  %q = pattern.reduce_seq %p init %z as %acc : f32, %e : f32 {
    %t = arith.addf %acc, %e : f32
    pattern.yield %t : f32
  } : !pattern.array<1, f32>
  func.return %q : !pattern.array<1, f32>
}

// CHECK-LABEL: ocl.kernel @asum_0(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %temp: !ocl.ptr<f32, global> {ocl.name = "temp"}) attributes {reqd_work_group_size = array<i64: 1, 1, 1>} {
// CHECK-NEXT:   %zv = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = arith.constant 1 : index
// CHECK-NEXT:   %2 = arith.constant 64 : index
// CHECK-NEXT:   %3 = arith.constant 128 : index
// CHECK-NEXT:   %4 = arith.constant 2 : index
// CHECK-NEXT:   %z = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:   %5 = arith.constant 3 : index
// CHECK-NEXT:   %group0 = ocl.group_id 0 : index
// CHECK-NEXT:   %6, %7 = scf.for %i = %0 to %2 step %1 iter_args(%8 = %zv, %9 = %zv) -> (vector<4xf32>, vector<4xf32>) {
// CHECK-NEXT:     %10 = arith.muli %group0, %3 : index
// CHECK-NEXT:     %11 = arith.muli %i, %4 : index
// CHECK-NEXT:     %12 = arith.addi %10, %11 : index
// CHECK-NEXT:     %13 = ocl.vload %x[%12] : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:     %14 = arith.addi %10, %11 : index
// CHECK-NEXT:     %15 = arith.addi %14, %1 : index
// CHECK-NEXT:     %16 = ocl.vload %x[%15] : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:     %f = math.absf %13 : vector<4xf32>
// CHECK-NEXT:     %f_1 = math.absf %16 : vector<4xf32>
// CHECK-NEXT:     %t = arith.addf %8, %f : vector<4xf32>
// CHECK-NEXT:     %t_1 = arith.addf %9, %f_1 : vector<4xf32>
// CHECK-NEXT:     scf.yield %t, %t_1 : vector<4xf32>, vector<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %t_2 = arith.addf %zv, %6 : vector<4xf32>
// CHECK-NEXT:   %t_3 = arith.addf %t_2, %7 : vector<4xf32>
// CHECK-NEXT:   %17 = vector.extract %t_3[0] : f32 from vector<4xf32>
// CHECK-NEXT:   %t_4 = arith.addf %z, %17 : f32
// CHECK-NEXT:   %18 = vector.extract %t_3[1] : f32 from vector<4xf32>
// CHECK-NEXT:   %t_5 = arith.addf %t_4, %18 : f32
// CHECK-NEXT:   %19 = vector.extract %t_3[2] : f32 from vector<4xf32>
// CHECK-NEXT:   %t_6 = arith.addf %t_5, %19 : f32
// CHECK-NEXT:   %20 = vector.extract %t_3[3] : f32 from vector<4xf32>
// CHECK-NEXT:   %t_7 = arith.addf %t_6, %20 : f32
// CHECK-NEXT:   ocl.store %t_7, %temp[%group0] : !ocl.ptr<f32, global>
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-LABEL: ocl.kernel @asum_1(%temp: !ocl.ptr<f32, global> {ocl.name = "temp"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {reqd_work_group_size = array<i64: 1, 1, 1>} {
// CHECK-NEXT:   %z = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:   %0 = arith.constant 0 : index
// CHECK-NEXT:   %1 = arith.constant 1 : index
// CHECK-NEXT:   %2 = arith.constant 4 : index
// CHECK-NEXT:   %3 = scf.for %i = %0 to %2 step %1 iter_args(%4 = %z) -> (f32) {
// CHECK-NEXT:     %5 = ocl.load %temp[%i] : !ocl.ptr<f32, global>
// CHECK-NEXT:     %t = arith.addf %4, %5 : f32
// CHECK-NEXT:     scf.yield %t : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   ocl.store %3, %out[%0] : !ocl.ptr<f32, global>
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }
// CHECK-LABEL: func.func @asum(%x: !pattern.array<2048, f32>) -> !pattern.array<1, f32> {
// CHECK-NEXT:   %out = pattern.alloc : !pattern.array<1, f32>
// CHECK-NEXT:   %temp = pattern.alloc : !pattern.array<4, 1, f32>
// CHECK-NEXT:   pattern.launch @asum_0 global [4] local [1] (%x, %temp) : !pattern.array<2048, f32>, !pattern.array<4, 1, f32>
// CHECK-NEXT:   pattern.launch @asum_1 global [1] local [1] (%temp, %out) : !pattern.array<4, 1, f32>, !pattern.array<1, f32>
// CHECK-NEXT:   func.return %out : !pattern.array<1, f32>
// CHECK-NEXT: }
