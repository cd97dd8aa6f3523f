// RUN: ocl-opt %s -t pattern-paper | filecheck %s

// The paper's Figure 9(a), which names the function of the first reduction.
// CHECK: def asum(x) = reduce-seq(+,0) o join o map-workgroup(
// CHECK-NEXT:   join o toGlobal(map-local(map-seq-unroll(id))) o split-1
// CHECK-NEXT:   o iterate-7(join o map-local(reduce-seq(+,0)) o split-2) o join
// CHECK-NEXT:   o toLocal(map-local(reduce-seq(absAndPlus,0))) o split-2048 o reorder-stride-128
// CHECK-NEXT: ) o split-262144(x)
func.func @asum(%x: !pattern.array<262144*N, f32>) -> !pattern.array<1, f32> {
  %zero = arith.constant 0.0 : f32
  %chunks = pattern.split %x by 262144 : !pattern.array<N, 262144, f32>
  %groups = pattern.map_workgroup %chunks as %c: !pattern.array<262144, f32> {
    %r = pattern.reorder_stride %c by 128 : !pattern.array<262144, f32>
    %s = pattern.split %r by 2048 : !pattern.array<128, 2048, f32>
    %l = pattern.map_local %s as %t: !pattern.array<2048, f32> {
      %p = pattern.reduce_seq %t init %zero as %acc: f32, %e: f32 attributes {pattern.name = "absAndPlus"} {
        %a = math.absf %e : f32
        %b = arith.addf %acc, %a : f32
        pattern.yield %b : f32
      } : !pattern.array<1, f32>
      pattern.yield %p : !pattern.array<1, f32>
    } : !pattern.array<128, 1, f32>
    %ll = pattern.to_local %l : !pattern.array<128, 1, f32>
    %j = pattern.join %ll : !pattern.array<128, f32>
    %i = pattern.iterate 7 %j size S as %v: !pattern.array<2*S, f32> {
      %vs = pattern.split %v by 2 : !pattern.array<S, 2, f32>
      %vl = pattern.map_local %vs as %t: !pattern.array<2, f32> {
        %p = pattern.reduce_seq %t init %zero as %acc: f32, %e: f32 {
          %b = arith.addf %acc, %e : f32
          pattern.yield %b : f32
        } : !pattern.array<1, f32>
        pattern.yield %p : !pattern.array<1, f32>
      } : !pattern.array<S, 1, f32>
      %vj = pattern.join %vl : !pattern.array<S, f32>
      pattern.yield %vj : !pattern.array<S, f32>
    } : !pattern.array<1, f32>
    %o = pattern.split %i by 1 : !pattern.array<1, 1, f32>
    %ol = pattern.map_local %o as %t: !pattern.array<1, f32> {
      %p = pattern.map_seq %t as %e: f32 unroll {
        pattern.yield %e : f32
      } : !pattern.array<1, f32>
      pattern.yield %p : !pattern.array<1, f32>
    } : !pattern.array<1, 1, f32>
    %og = pattern.to_global %ol : !pattern.array<1, 1, f32>
    %oj = pattern.join %og : !pattern.array<1, f32>
    pattern.yield %oj : !pattern.array<1, f32>
  } : !pattern.array<N, 1, f32>
  %g = pattern.join %groups : !pattern.array<N, f32>
  %sum = pattern.reduce_seq %g init %zero as %acc: f32, %e: f32 {
    %b = arith.addf %acc, %e : f32
    pattern.yield %b : f32
  } : !pattern.array<1, f32>
  func.return %sum : !pattern.array<1, f32>
}

// Its Figure 8, equation (8): a function of known operations is an expression.
// CHECK-NEXT: def fused(x) = reduce(+,0) o join o map(reduce-seq(λ acc,a: acc + abs(a),0)) o split-n(x)
func.func @fused(%x: !pattern.array<n*m, f32>) -> !pattern.array<1, f32> {
  %zero = arith.constant 0.0 : f32
  %chunks = pattern.split %x by n : !pattern.array<m, n, f32>
  %sums = pattern.map %chunks as %c: !pattern.array<n, f32> {
    %s = pattern.reduce_seq %c init %zero as %acc: f32, %a: f32 {
      %b = math.absf %a : f32
      %t = arith.addf %acc, %b : f32
      pattern.yield %t : f32
    } : !pattern.array<1, f32>
    pattern.yield %s : !pattern.array<1, f32>
  } : !pattern.array<m, 1, f32>
  %all = pattern.join %sums : !pattern.array<m, f32>
  %sum = pattern.reduce %all init %zero as %a: f32, %b: f32 assoc comm {
    %t = arith.addf %a, %b : f32
    pattern.yield %t : f32
  } : !pattern.array<1, f32>
  func.return %sum : !pattern.array<1, f32>
}

// Vectors, tuples, captured values, and an array that is used twice.
// CHECK-NEXT: def more(x, a, p) =
// CHECK-NEXT:   y = asScalar o map-global-1(vectorize-4(mult(a))) o asVector-4(x)
// CHECK-NEXT:   map(λ u,z: {max(u, 0), if u < z then u - z * 2 else p[1]}) o zip(
// CHECK-NEXT:     y, pad-1-1-clamp o map(λ win: win[0]) o slide-3-1(y)
// CHECK-NEXT:   )
func.func @more(%x: !pattern.array<4*N, f32>, %a: f32, %p: !pattern.array<M, f32>) -> !pattern.array<4*N, tuple<f32, f32>> {
  %v = pattern.as_vector %x by 4 : !pattern.array<N, vector<4xf32>>
  %w = pattern.map_global %v as %e: vector<4xf32> dim 1 {
    %m = pattern.vect %e as %s: f32 {
      %t = arith.mulf %s, %a : f32
      pattern.yield %t : f32
    } : vector<4xf32>
    pattern.yield %m : vector<4xf32>
  } : !pattern.array<N, vector<4xf32>>
  %y = pattern.as_scalar %w : !pattern.array<4*N, f32>
  %windows = pattern.slide %y size 3 step 1 : !pattern.array<4*N - 2, 3, f32>
  %firsts = pattern.map %windows as %win: !pattern.array<3, f32> {
    %i = arith.constant 0 : index
    %f = pattern.at %win[%i] : f32
    pattern.yield %f : f32
  } : !pattern.array<4*N - 2, f32>
  %padded = pattern.pad %firsts left 1 right 1 clamp : !pattern.array<4*N, f32>
  %both = pattern.zip %y, %padded : !pattern.array<4*N, tuple<f32, f32>>
  %r = pattern.map %both as (%u: f32, %z: f32) {
    %zero = arith.constant 0.0 : f32
    %two = arith.constant 2.0 : f32
    %one = arith.constant 1 : index
    %m = arith.maximumf %u, %zero : f32
    %d = arith.mulf %z, %two : f32
    %s = arith.subf %u, %d : f32
    %q = pattern.at %p[%one] : f32
    %less = arith.cmpf olt, %u, %z : f32
    %c = arith.select %less, %s, %q : f32
    pattern.yield %m, %c : f32, f32
  } : !pattern.array<4*N, tuple<f32, f32>>
  func.return %r : !pattern.array<4*N, tuple<f32, f32>>
}

// Control flow has no notation.
// CHECK-NEXT: def clipped(x) = map(λ e: 2 * ...)(x)
func.func @clipped(%x: !pattern.array<N, f32>) -> !pattern.array<N, f32> {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %y = pattern.map %x as %e: f32 {
    %c = arith.cmpf olt, %e, %zero : f32
    %s = scf.if %c -> (f32) {
      scf.yield %zero : f32
    } else {
      scf.yield %e : f32
    }
    %t = arith.mulf %two, %s : f32
    pattern.yield %t : f32
  } : !pattern.array<N, f32>
  func.return %y : !pattern.array<N, f32>
}
