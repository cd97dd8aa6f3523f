// RUN: ocl-opt %s -p pattern-inline-calls --split-input-file --verify-diagnostics | filecheck %s

// CHECK: :5:3: error: recursive call of @forever; a pattern program has no recursion
func.func @forever(%x: !pattern.array<N, f32>) -> !pattern.array<N, f32> {
  %y = func.call @forever(%x) : (!pattern.array<N, f32>) -> !pattern.array<N, f32>
  func.return %y : !pattern.array<N, f32>
}

// -----

func.func private @unknown(!pattern.array<N, f32>) -> !pattern.array<N, f32>
// CHECK: error: @unknown has no body; expected a function of this module
func.func @program(%x: !pattern.array<N, f32>) -> !pattern.array<N, f32> {
  %y = func.call @unknown(%x) : (!pattern.array<N, f32>) -> !pattern.array<N, f32>
  func.return %y : !pattern.array<N, f32>
}
