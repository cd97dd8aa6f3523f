// RUN: ocl-opt %s -p pattern-inline-calls | filecheck %s
// RUN: ocl-opt %s -p pattern-inline-calls -t pattern-paper | filecheck %s --check-prefix PAPER
// RUN: ocl-opt %s -p 'pattern-derive{function="program" steps="3f.map @map"}' | filecheck %s --check-prefix FUSED
// RUN: ocl-opt %s -p pattern-to-ocl | filecheck %s --check-prefix KERNEL

// The function of a map that is one call keeps the name of the called function.

func.func @twice(%e: f32) -> f32 {
  %s = arith.addf %e, %e : f32
  func.return %s : f32
}

func.func @times(%a: f32, %e: f32) -> f32 {
  %d = func.call @twice(%e) : (f32) -> f32
  %s = arith.mulf %a, %d : f32
  func.return %s : f32
}

// What a called program assumes of its sizes becomes an assumption of its callers.

func.func @chunks(%x: !pattern.array<N, f32>) -> !pattern.array<N/4, 4, f32> attributes {pattern.sizes = [#pattern.size<N, divisible_by = 4>]} {
  %c = pattern.split %x by 4 : !pattern.array<N/4, 4, f32>
  func.return %c : !pattern.array<N/4, 4, f32>
}

func.func @same(%x: !pattern.array<N, f32>) -> !pattern.array<N, f32> {
  func.return %x : !pattern.array<N, f32>
}

// CHECK-LABEL: func.func @program(%x: !pattern.array<N, f32>, %a: f32) -> !pattern.array<N/4, 4, f32> attributes {pattern.sizes = [#pattern.size<N, divisible_by = 4>]} {
// CHECK-NEXT:    %y = pattern.map %x as %e: f32 attributes {pattern.name = "twice"} {
// CHECK-NEXT:      %s = arith.addf %e, %e : f32
// CHECK-NEXT:      pattern.yield %s : f32
// CHECK-NEXT:    } : !pattern.array<N, f32>
// CHECK-NEXT:    %z = pattern.map %y as %e_1: f32 {
// CHECK-NEXT:      %s_1 = arith.addf %e_1, %e_1 : f32
// CHECK-NEXT:      %s_2 = arith.mulf %a, %s_1 : f32
// CHECK-NEXT:      pattern.yield %s_2 : f32
// CHECK-NEXT:    } : !pattern.array<N, f32>
// CHECK-NEXT:    %c = pattern.split %z by 4 : !pattern.array<N/4, 4, f32>
// CHECK-NEXT:    func.return %c : !pattern.array<N/4, 4, f32>

// PAPER: def program(x, a) = split-4 o map(

// FUSED-LABEL: func.func @program
// FUSED: pattern.map
// FUSED-NOT: pattern.map
// FUSED: func.return

// KERNEL-LABEL: ocl.kernel @program_0
// KERNEL-NOT: func.call
// KERNEL: func.func @program
func.func @program(%x: !pattern.array<N, f32>, %a: f32) -> !pattern.array<N/4, 4, f32> {
  %v = func.call @same(%x) : (!pattern.array<N, f32>) -> !pattern.array<N, f32>
  %y = pattern.map %v as %e: f32 {
    %s = func.call @twice(%e) : (f32) -> f32
    pattern.yield %s : f32
  } : !pattern.array<N, f32>
  %z = pattern.map %y as %e: f32 {
    %s = func.call @times(%a, %e) : (f32, f32) -> f32
    pattern.yield %s : f32
  } : !pattern.array<N, f32>
  %c = func.call @chunks(%z) : (!pattern.array<N, f32>) -> !pattern.array<N/4, 4, f32>
  func.return %c : !pattern.array<N/4, 4, f32>
}
