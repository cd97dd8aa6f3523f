// RUN: OCL_ROUNDTRIP
// RUN: OCL_GENERIC_ROUNDTRIP

// CHECK: func.func @scans(%x: !pattern.array<N, f32>, %y: !pattern.array<N, tuple<f32, f32>>, %z: f32, %zz: tuple<f32, f32>) {
func.func @scans(%x: !pattern.array<N, f32>, %y: !pattern.array<N, tuple<f32, f32>>, %z: f32, %zz: tuple<f32, f32>) {
  // CHECK-NEXT: %r = pattern.scan %x init %z as %a: f32, %e: f32 {
  %r = pattern.scan %x init %z as %a: f32, %e: f32 {
    // CHECK-NEXT: %s = arith.subf %a, %e : f32
    %s = arith.subf %a, %e : f32
    // CHECK-NEXT: pattern.yield %s : f32
    pattern.yield %s : f32
  // CHECK-NEXT: } : !pattern.array<N, f32>
  } : !pattern.array<N, f32>
  // CHECK-NEXT: %q = pattern.scan %y init %zz as (%a_1: f32, %b: f32), (%c: f32, %d: f32) exclusive assoc comm neutral {
  %q = pattern.scan %y init %zz as (%a: f32, %b: f32), (%c: f32, %d: f32) exclusive assoc comm neutral {
    // CHECK-NEXT: %s_1 = arith.addf %a_1, %c : f32
    %s = arith.addf %a, %c : f32
    // CHECK-NEXT: %t = arith.mulf %b, %d : f32
    %t = arith.mulf %b, %d : f32
    // CHECK-NEXT: pattern.yield %s_1, %t : f32, f32
    pattern.yield %s, %t : f32, f32
  // CHECK-NEXT: } : !pattern.array<N, tuple<f32, f32>>
  } : !pattern.array<N, tuple<f32, f32>>
  // CHECK-NEXT: func.return
  func.return
}

// CHECK: func.func @scatters(%x: !pattern.array<N, i32>, %ids: !pattern.array<N, i32>, %start: !pattern.array<M, i32>) -> !pattern.array<M, i32> {
func.func @scatters(%x: !pattern.array<N, i32>, %ids: !pattern.array<N, i32>, %start: !pattern.array<M, i32>) -> !pattern.array<M, i32> {
  // CHECK-NEXT: %r = pattern.scatter %x to %ids init %start as %old: i32, %new: i32 assoc comm {
  %r = pattern.scatter %x to %ids init %start as %old: i32, %new: i32 assoc comm {
    // CHECK-NEXT: %s = arith.addi %old, %new : i32
    %s = arith.addi %old, %new : i32
    // CHECK-NEXT: pattern.yield %s : i32
    pattern.yield %s : i32
  // CHECK-NEXT: } : !pattern.array<M, i32>
  } : !pattern.array<M, i32>
  // CHECK-NEXT: func.return %r : !pattern.array<M, i32>
  func.return %r : !pattern.array<M, i32>
}

// CHECK: func.func @permutations(%x: !pattern.array<N, f32>, %y: !pattern.array<N, tuple<f32, i32>>) {
func.func @permutations(%x: !pattern.array<N, f32>, %y: !pattern.array<N, tuple<f32, i32>>) {
  // CHECK-NEXT: %p, %n = pattern.filter %x as %e: f32 {
  %p, %n = pattern.filter %x as %e: f32 {
    // CHECK-NEXT: %c = arith.cmpf une, %e, %e : f32
    %c = arith.cmpf une, %e, %e : f32
    // CHECK-NEXT: pattern.yield %c : i1
    pattern.yield %c : i1
  // CHECK-NEXT: } : !pattern.array<N, f32>, !pattern.array<1, index>
  } : !pattern.array<N, f32>, !pattern.array<1, index>
  // CHECK-NEXT: %s = pattern.sort %y as (%a: f32, %i: i32), (%b: f32, %j: i32) {
  %s = pattern.sort %y as (%a: f32, %i: i32), (%b: f32, %j: i32) {
    // CHECK-NEXT: %c_1 = arith.cmpi slt, %i, %j : i32
    %c = arith.cmpi slt, %i, %j : i32
    // CHECK-NEXT: pattern.yield %c_1 : i1
    pattern.yield %c : i1
  // CHECK-NEXT: } : !pattern.array<N, tuple<f32, i32>>
  } : !pattern.array<N, tuple<f32, i32>>
  // CHECK-NEXT: func.return
  func.return
}

// CHECK: func.func @iterations(%x: !pattern.array<N, i32>) -> !pattern.array<N, i32> {
func.func @iterations(%x: !pattern.array<N, i32>) -> !pattern.array<N, i32> {
  // CHECK-NEXT: %r = pattern.iterate 2*N + 1 %x as %v: !pattern.array<N, i32>, %i: index {
  %r = pattern.iterate 2*N + 1 %x as %v: !pattern.array<N, i32>, %i: index {
    // CHECK-NEXT: pattern.yield %v : !pattern.array<N, i32>
    pattern.yield %v : !pattern.array<N, i32>
  // CHECK-NEXT: } : !pattern.array<N, i32>
  } : !pattern.array<N, i32>
  // CHECK-NEXT: func.return %r : !pattern.array<N, i32>
  func.return %r : !pattern.array<N, i32>
}
