// RUN: ocl-opt %s -p "convert-to-llvm" | filecheck %s

// Contraction is allowed but where ocl.no_contract says that each operation rounds.
func.func @f(%a: f32, %b: f32) -> f32 {
  %p = arith.mulf %a, %b : f32
  %q = arith.mulf %a, %b {ocl.no_contract} : f32
  %s = arith.subf %p, %q {ocl.no_contract} : f32
  func.return %s : f32
}
// CHECK:      llvm.fmul %a, %b {fastmathFlags = #llvm.fastmath<contract>} : f32
// CHECK-NEXT: llvm.fmul %a, %b : f32
// CHECK-NEXT: llvm.fsub %p, %q : f32

// LLVM would give %q the flag of the sum, as it makes `a - q` of `-q + a`.
func.func @negated(%a: f32, %b: f32) -> f32 {
  %q = arith.mulf %a, %b {ocl.no_contract} : f32
  %n = arith.negf %q : f32
  %s = arith.addf %n, %a : f32
  %p = arith.mulf %a, %b : f32
  %m = arith.negf %p : f32
  %t = arith.addf %m, %s : f32
  func.return %t : f32
}
// CHECK-LABEL: @negated
// CHECK:      llvm.fadd {{%n.*, %a.*}} : f32
// CHECK:      llvm.fadd {{%m.*, %s.*}} {fastmathFlags = #llvm.fastmath<contract>} : f32
