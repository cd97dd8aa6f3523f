// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

// Views: no code comes of them but indices. N is a size variable.
// CHECK: func.func @views(%x: !pattern.array<N, f32>, %y: !pattern.array<N, i32>, %ids: !pattern.array<M, i32>) -> !pattern.array<M, f32> attributes {pattern.sizes = [#pattern.size<N, min = 128, divisible_by = 64>]} {
func.func @views(%x: !pattern.array<N, f32>, %y: !pattern.array<N, i32>, %ids: !pattern.array<M, i32>) -> !pattern.array<M, f32> attributes {pattern.sizes = [#pattern.size<N, min = 128, divisible_by = 64>]} {
  // The assumption on N makes N/64 a size.
  // CHECK-NEXT: %s = pattern.split %x by 64 : !pattern.array<N/64, 64, f32>
  %s = pattern.split %x by 64 : !pattern.array<N/64, 64, f32>
  // CHECK-NEXT: %t = pattern.transpose %s : !pattern.array<64, N/64, f32>
  %t = pattern.transpose %s : !pattern.array<64, N/64, f32>
  // CHECK-NEXT: %j = pattern.join %t : !pattern.array<N, f32>
  %j = pattern.join %t : !pattern.array<N, f32>
  // CHECK-NEXT: %p = pattern.zip %x, %y, %j : !pattern.array<N, tuple<f32, i32, f32>>
  %p = pattern.zip %x, %y, %j : !pattern.array<N, tuple<f32, i32, f32>>
  // CHECK-NEXT: %a, %b, %c = pattern.unzip %p : !pattern.array<N, f32>, !pattern.array<N, i32>, !pattern.array<N, f32>
  %a, %b, %c = pattern.unzip %p : !pattern.array<N, f32>, !pattern.array<N, i32>, !pattern.array<N, f32>
  // CHECK-NEXT: %r = pattern.reorder %a : !pattern.array<N, f32>
  %r = pattern.reorder %a : !pattern.array<N, f32>
  // CHECK-NEXT: %q = pattern.reorder_stride %r by N/64 : !pattern.array<N, f32>
  %q = pattern.reorder_stride %r by N/64 : !pattern.array<N, f32>
  // CHECK-NEXT: %g = pattern.gather %q, %ids : !pattern.array<M, f32>
  %g = pattern.gather %q, %ids : !pattern.array<M, f32>
  // CHECK-NEXT: %v = arith.constant 5.000000e-01 : f32
  %v = arith.constant 5.000000e-01 : f32
  // CHECK-NEXT: %d = pattern.pad %g left 1 right 1 constant %v : !pattern.array<M + 2, f32>
  %d = pattern.pad %g left 1 right 1 constant %v : !pattern.array<M + 2, f32>
  // CHECK-NEXT: %w = pattern.slide %d size 3 step 1 : !pattern.array<M, 3, f32>
  %w = pattern.slide %d size 3 step 1 : !pattern.array<M, 3, f32>
  // CHECK-NEXT: %e = pattern.pad %g left 2 right 2*K mirror : !pattern.array<2*K + M + 2, f32>
  %e = pattern.pad %g left 2 right 2*K mirror : !pattern.array<2*K + M + 2, f32>
  // CHECK-NEXT: func.return %g : !pattern.array<M, f32>
  func.return %g : !pattern.array<M, f32>
// CHECK-NEXT: }
}

// A function is the operation's region. It takes a tuple whole or apart, and may yield several
// values, which are a tuple then.
// CHECK: func.func @functions(%x: !pattern.array<N, f32>, %i: index) -> !pattern.array<N, tuple<f32, index>> {
func.func @functions(%x: !pattern.array<N, f32>, %i: index) -> !pattern.array<N, tuple<f32, index>> {
  // CHECK-NEXT: %p = pattern.zip %x, %x : !pattern.array<N, tuple<f32, f32>>
  %p = pattern.zip %x, %x : !pattern.array<N, tuple<f32, f32>>
  // CHECK-NEXT: %whole = pattern.map %p as %t: tuple<f32, f32> {
  %whole = pattern.map %p as %t: tuple<f32, f32> {
    // CHECK-NEXT: %f = pattern.get %t[0] : f32
    %f = pattern.get %t[0] : f32
    // CHECK-NEXT: pattern.yield %f : f32
    pattern.yield %f : f32
  // CHECK-NEXT: } : !pattern.array<N, f32>
  } : !pattern.array<N, f32>
  // CHECK-NEXT: %apart = pattern.map %p as (%f_1: f32, %g: f32) attributes {pattern.name = "first"} {
  %apart = pattern.map %p as (%f: f32, %g: f32) attributes {pattern.name = "first"} {
    // CHECK-NEXT: pattern.yield %f_1, %i : f32, index
    pattern.yield %f, %i : f32, index
  // CHECK-NEXT: } : !pattern.array<N, tuple<f32, index>>
  } : !pattern.array<N, tuple<f32, index>>
  // CHECK-NEXT: %v = pattern.at %x[%i] : f32
  %v = pattern.at %x[%i] : f32
  // CHECK-NEXT: %t_1 = pattern.tuple %v, %i : tuple<f32, index>
  %t = pattern.tuple %v, %i : tuple<f32, index>
  // CHECK-NEXT: %n = pattern.generate as %k: index {
  %n = pattern.generate as %k: index {
    // CHECK-NEXT: pattern.yield %k : index
    pattern.yield %k : index
  // CHECK-NEXT: } : !pattern.array<N + 1, index>
  } : !pattern.array<N + 1, index>
  // CHECK-NEXT: func.return %apart : !pattern.array<N, tuple<f32, index>>
  func.return %apart : !pattern.array<N, tuple<f32, index>>
// CHECK-NEXT: }
}

// Reductions: the accumulator comes first.
// CHECK: func.func @reductions(%x: !pattern.array<64*N, f32>, %y: !pattern.array<64*N, tuple<f32, f32>>) {
func.func @reductions(%x: !pattern.array<64*N, f32>, %y: !pattern.array<64*N, tuple<f32, f32>>) {
  // CHECK-NEXT: %z = arith.constant 0.000000e+00 : f32
  %z = arith.constant 0.000000e+00 : f32
  // CHECK-NEXT: %r = pattern.reduce %x init %z as %a: f32, %e: f32 assoc comm neutral {
  %r = pattern.reduce %x init %z as %a: f32, %e: f32 assoc comm neutral {
    // CHECK-NEXT: %s = arith.addf %a, %e : f32
    %s = arith.addf %a, %e : f32
    // CHECK-NEXT: pattern.yield %s : f32
    pattern.yield %s : f32
  // CHECK-NEXT: } : !pattern.array<1, f32>
  } : !pattern.array<1, f32>
  // CHECK-NEXT: %p = pattern.part_red %x init %z as %a_1: f32, %e_1: f32 assoc {
  %p = pattern.part_red %x init %z as %a: f32, %e: f32 assoc {
    // CHECK-NEXT: %s_1 = arith.addf %a_1, %e_1 : f32
    %s = arith.addf %a, %e : f32
    // CHECK-NEXT: pattern.yield %s_1 : f32
    pattern.yield %s : f32
  // CHECK-NEXT: } : !pattern.array<N, f32>
  } : !pattern.array<N, f32>
  // CHECK-NEXT: %d = pattern.reduce_seq %y init %z as %a_2: f32, (%e_2: f32, %f: f32) unroll {
  %d = pattern.reduce_seq %y init %z as %a: f32, (%e: f32, %f: f32) unroll {
    // CHECK-NEXT: %m = arith.mulf %e_2, %f : f32
    %m = arith.mulf %e, %f : f32
    // CHECK-NEXT: %s_2 = arith.addf %a_2, %m : f32
    %s = arith.addf %a, %m : f32
    // CHECK-NEXT: pattern.yield %s_2 : f32
    pattern.yield %s : f32
  // CHECK-NEXT: } : !pattern.array<1, f32>
  } : !pattern.array<1, f32>
  // CHECK-NEXT: func.return
  func.return
// CHECK-NEXT: }
}

// Vectors: of the innermost dimension, and of each part of a tuple.
// CHECK: func.func @vectors(%x: !pattern.array<N, 8, f32>, %y: !pattern.array<4*N, tuple<f32, i32>>) -> !pattern.array<N, 8, f32> {
func.func @vectors(%x: !pattern.array<N, 8, f32>, %y: !pattern.array<4*N, tuple<f32, i32>>) -> !pattern.array<N, 8, f32> {
  // CHECK-NEXT: %v = pattern.as_vector %x by 4 : !pattern.array<N, 2, vector<4xf32>>
  %v = pattern.as_vector %x by 4 : !pattern.array<N, 2, vector<4xf32>>
  // CHECK-NEXT: %w = pattern.map %v as %row: !pattern.array<2, vector<4xf32>> {
  %w = pattern.map %v as %row: !pattern.array<2, vector<4xf32>> {
    // CHECK-NEXT: %m = pattern.map %row as %e: vector<4xf32> {
    %m = pattern.map %row as %e: vector<4xf32> {
      // CHECK-NEXT: %s = pattern.vect %e, %e as %a: f32, %b: f32 {
      %s = pattern.vect %e, %e as %a: f32, %b: f32 {
        // CHECK-NEXT: %p = arith.mulf %a, %b : f32
        %p = arith.mulf %a, %b : f32
        // CHECK-NEXT: pattern.yield %p : f32
        pattern.yield %p : f32
      // CHECK-NEXT: } : vector<4xf32>
      } : vector<4xf32>
      // CHECK-NEXT: pattern.yield %s : vector<4xf32>
      pattern.yield %s : vector<4xf32>
    // CHECK-NEXT: } : !pattern.array<2, vector<4xf32>>
    } : !pattern.array<2, vector<4xf32>>
    // CHECK-NEXT: pattern.yield %m : !pattern.array<2, vector<4xf32>>
    pattern.yield %m : !pattern.array<2, vector<4xf32>>
  // CHECK-NEXT: } : !pattern.array<N, 2, vector<4xf32>>
  } : !pattern.array<N, 2, vector<4xf32>>
  // CHECK-NEXT: %s_1 = pattern.as_scalar %w : !pattern.array<N, 8, f32>
  %s = pattern.as_scalar %w : !pattern.array<N, 8, f32>
  // CHECK-NEXT: %t = pattern.as_vector %y by 4 : !pattern.array<N, tuple<vector<4xf32>, vector<4xi32>>>
  %t = pattern.as_vector %y by 4 : !pattern.array<N, tuple<vector<4xf32>, vector<4xi32>>>
  // CHECK-NEXT: func.return %s_1 : !pattern.array<N, 8, f32>
  func.return %s : !pattern.array<N, 8, f32>
// CHECK-NEXT: }
}

// The thread hierarchy and its memory.
// CHECK: func.func @hierarchy(%x: !pattern.array<M, 4, N, f32>) {
func.func @hierarchy(%x: !pattern.array<M, 4, N, f32>) {
  // CHECK-NEXT: %g = pattern.map_workgroup %x as %rows: !pattern.array<4, N, f32> dim 1 {
  %g = pattern.map_workgroup %x as %rows: !pattern.array<4, N, f32> dim 1 {
    // CHECK-NEXT: %h = pattern.map_workgroup %rows as %row: !pattern.array<N, f32> {
    %h = pattern.map_workgroup %rows as %row: !pattern.array<N, f32> {
      // CHECK-NEXT: %l = pattern.map_local %row as %e: f32 {
      %l = pattern.map_local %row as %e: f32 {
        // CHECK-NEXT: pattern.yield %e : f32
        pattern.yield %e : f32
      // CHECK-NEXT: } : !pattern.array<N, f32>
      } : !pattern.array<N, f32>
      // CHECK-NEXT: %m = pattern.to_local %l : !pattern.array<N, f32>
      %m = pattern.to_local %l : !pattern.array<N, f32>
      // CHECK-NEXT: %n = pattern.map_local %m as %e_1: f32 {
      %n = pattern.map_local %m as %e: f32 {
        // CHECK-NEXT: pattern.yield %e_1 : f32
        pattern.yield %e : f32
      // CHECK-NEXT: } : !pattern.array<N, f32>
      } : !pattern.array<N, f32>
      // CHECK-NEXT: %o = pattern.to_global %n : !pattern.array<N, f32>
      %o = pattern.to_global %n : !pattern.array<N, f32>
      // CHECK-NEXT: pattern.yield %o : !pattern.array<N, f32>
      pattern.yield %o : !pattern.array<N, f32>
    // CHECK-NEXT: } : !pattern.array<4, N, f32>
    } : !pattern.array<4, N, f32>
    // CHECK-NEXT: pattern.yield %h : !pattern.array<4, N, f32>
    pattern.yield %h : !pattern.array<4, N, f32>
  // CHECK-NEXT: } : !pattern.array<M, 4, N, f32>
  } : !pattern.array<M, 4, N, f32>
  // CHECK-NEXT: %k = pattern.map_global %g as %rows_1: !pattern.array<4, N, f32> dim 2 {
  %k = pattern.map_global %g as %rows: !pattern.array<4, N, f32> dim 2 {
    // CHECK-NEXT: %s = pattern.map_seq %rows_1 as %row_1: !pattern.array<N, f32> unroll {
    %s = pattern.map_seq %rows as %row: !pattern.array<N, f32> unroll {
      // CHECK-NEXT: pattern.yield %row_1 : !pattern.array<N, f32>
      pattern.yield %row : !pattern.array<N, f32>
    // CHECK-NEXT: } : !pattern.array<4, N, f32>
    } : !pattern.array<4, N, f32>
    // CHECK-NEXT: %t = pattern.to_private %s : !pattern.array<4, N, f32>
    %t = pattern.to_private %s : !pattern.array<4, N, f32>
    // CHECK-NEXT: pattern.yield %t : !pattern.array<4, N, f32>
    pattern.yield %t : !pattern.array<4, N, f32>
  // CHECK-NEXT: } : !pattern.array<M, 4, N, f32>
  } : !pattern.array<M, 4, N, f32>
  // CHECK-NEXT: func.return
  func.return
// CHECK-NEXT: }
}

// iterate: the function halves its array, of any size 2*S; 7 times make 1 of 128. Or it keeps the
// size.
// CHECK: func.func @iterations(%x: !pattern.array<128*N, f32>) -> !pattern.array<N, f32> {
func.func @iterations(%x: !pattern.array<128*N, f32>) -> !pattern.array<N, f32> {
  // CHECK-NEXT: %i = pattern.iterate 7 %x size S as %v: !pattern.array<2*S, f32> {
  %i = pattern.iterate 7 %x size S as %v: !pattern.array<2*S, f32> {
    // CHECK-NEXT: %c = pattern.split %v by 2 : !pattern.array<S, 2, f32>
    %c = pattern.split %v by 2 : !pattern.array<S, 2, f32>
    // CHECK-NEXT: %h = pattern.map %c as %p: !pattern.array<2, f32> {
    %h = pattern.map %c as %p: !pattern.array<2, f32> {
      // CHECK-NEXT: %k = arith.constant 0 : index
      %k = arith.constant 0 : index
      // CHECK-NEXT: %e = pattern.at %p[%k] : f32
      %e = pattern.at %p[%k] : f32
      // CHECK-NEXT: pattern.yield %e : f32
      pattern.yield %e : f32
    // CHECK-NEXT: } : !pattern.array<S, f32>
    } : !pattern.array<S, f32>
    // CHECK-NEXT: pattern.yield %h : !pattern.array<S, f32>
    pattern.yield %h : !pattern.array<S, f32>
  // CHECK-NEXT: } : !pattern.array<N, f32>
  } : !pattern.array<N, f32>
  // CHECK-NEXT: %j = pattern.iterate 3 %i as %v_1: !pattern.array<N, f32> {
  %j = pattern.iterate 3 %i as %v: !pattern.array<N, f32> {
    // CHECK-NEXT: %r = pattern.reorder %v_1 : !pattern.array<N, f32>
    %r = pattern.reorder %v : !pattern.array<N, f32>
    // CHECK-NEXT: pattern.yield %r : !pattern.array<N, f32>
    pattern.yield %r : !pattern.array<N, f32>
  // CHECK-NEXT: } : !pattern.array<N, f32>
  } : !pattern.array<N, f32>
  // CHECK-NEXT: func.return %j : !pattern.array<N, f32>
  func.return %j : !pattern.array<N, f32>
// CHECK-NEXT: }
}

func.func @tiles(%a: !pattern.array<16, 32, f16>, %b: !pattern.array<8, 32, f16>, %c: !pattern.array<16, 8, f32>, %x: !pattern.array<N + 3, f32>, %rows: !pattern.array<M, 8, f32>) -> !pattern.array<16, 8, f32> {
  // CHECK: %d = pattern.mma %a, %b, %c : !pattern.array<16, 8, f32>
  %d = pattern.mma %a, %b, %c : !pattern.array<16, 8, f32>
  // CHECK-NEXT: %t = pattern.take %x by N : !pattern.array<N, f32>
  %t = pattern.take %x by N : !pattern.array<N, f32>
  // CHECK-NEXT: %u = pattern.drop %x by 3 : !pattern.array<N, f32>
  %u = pattern.drop %x by 3 : !pattern.array<N, f32>
  %zero = arith.constant 0.0 : f32
  %r = pattern.reduce_seq %rows init %zero as %acc: f32, %row: !pattern.array<8, f32> {
    // CHECK: %l = pattern.to_local %row pad 4 ahead 2 : !pattern.array<8, f32>
    %l = pattern.to_local %row pad 4 ahead 2 : !pattern.array<8, f32>
    // CHECK-NEXT: %p = pattern.to_local %row pad 1 : !pattern.array<8, f32>
    %p = pattern.to_local %row pad 1 : !pattern.array<8, f32>
    pattern.yield %acc : f32
  } : !pattern.array<1, f32>
  func.return %d : !pattern.array<16, 8, f32>
}
