// RUN: ocl-opt %s -p convert-to-llvm --split-input-file | filecheck %s

// What is exact is an intrinsic, the rest a function of the C math library.

func.func @exact(%x: f32, %v: vector<4xf32>, %i: i32) -> f32 {
  %a = math.absf %x : f32
  %b = math.sqrt %a : f32
  %c = math.rsqrt %b : f32
  %d = math.floor %v : vector<4xf32>
  %e = vector.extract %d[0] : f32 from vector<4xf32>
  %f = math.fma %c, %e, %x : f32
  %n = math.ctlz %i : i32
  %g = arith.sitofp %n : i32 to f32
  %h = math.copysign %f, %g : f32
  func.return %h : f32
}

// CHECK-LABEL: llvm.func @exact(%x: f32, %v: vector<4xf32>, %i: i32) -> f32 {
// CHECK-NEXT:    %a = llvm.call_intrinsic "llvm.fabs.f32"(%x) : (f32) -> f32
// CHECK-NEXT:    %b = llvm.call_intrinsic "llvm.sqrt.f32"(%a) : (f32) -> f32
// CHECK-NEXT:    %0 = llvm.call_intrinsic "llvm.sqrt.f32"(%b) : (f32) -> f32
// CHECK-NEXT:    %1 = llvm.mlir.constant(1.000000e+00 : f32) : f32
// CHECK-NEXT:    %c = llvm.fdiv %1, %0 : f32
// CHECK-NEXT:    %d = llvm.call_intrinsic "llvm.floor.v4f32"(%v) : (vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT:    %2 = llvm.mlir.constant(0) : i64
// CHECK-NEXT:    %e = llvm_ext.extractelement %d[%2 : i64] : vector<4xf32> -> f32
// CHECK-NEXT:    %f = llvm.call_intrinsic "llvm.fma.f32"(%c, %e, %x) : (f32, f32, f32) -> f32
// CHECK-NEXT:    %3 = llvm.mlir.constant(false) : i1
// CHECK-NEXT:    %n = llvm.call_intrinsic "llvm.ctlz.i32"(%i, %3) : (i32, i1) -> i32
// CHECK-NEXT:    %g = llvm.sitofp %n : i32 to f32
// CHECK-NEXT:    %h = llvm.call_intrinsic "llvm.copysign.f32"(%f, %g) : (f32, f32) -> f32
// CHECK-NEXT:    llvm.return %h : f32
// CHECK-NEXT:  }

// -----

// Vectors go element by element; f16 is computed in f32.
func.func @library(%x: f64, %v: vector<2xf32>, %h: f16) -> f16 {
  %a = math.powf %x, %x : f64
  %b = math.sin %v : vector<2xf32>
  %c = math.exp %h : f16
  func.return %c : f16
}

// CHECK-LABEL: llvm.func @library(%x: f64, %v: vector<2xf32>, %h: f16) -> f16 {
// CHECK-NEXT:    %a = llvm.call @pow(%x, %x) : (f64, f64) -> f64
// CHECK-NEXT:    %0 = llvm_ext.mlir.poison : vector<2xf32>
// CHECK-NEXT:    %1 = llvm.mlir.constant(0) : i64
// CHECK-NEXT:    %2 = llvm_ext.extractelement %v[%1 : i64] : vector<2xf32> -> f32
// CHECK-NEXT:    %3 = llvm.call @sinf(%2) : (f32) -> f32
// CHECK-NEXT:    %4 = llvm.mlir.constant(0) : i64
// CHECK-NEXT:    %5 = llvm.insertelement %3, %0[%4 : i64] : vector<2xf32>
// CHECK-NEXT:    %6 = llvm.mlir.constant(1) : i64
// CHECK-NEXT:    %7 = llvm_ext.extractelement %v[%6 : i64] : vector<2xf32> -> f32
// CHECK-NEXT:    %8 = llvm.call @sinf(%7) : (f32) -> f32
// CHECK-NEXT:    %9 = llvm.mlir.constant(1) : i64
// CHECK-NEXT:    %b = llvm.insertelement %8, %5[%9 : i64] : vector<2xf32>
// CHECK-NEXT:    %10 = llvm.fpext %h : f16 to f32
// CHECK-NEXT:    %11 = llvm.call @expf(%10) : (f32) -> f32
// CHECK-NEXT:    %c = llvm.fptrunc %11 : f32 to f16
// CHECK-NEXT:    llvm.return %c : f16
// CHECK-NEXT:  }
// CHECK-NEXT:  llvm.func @pow(f64, f64) -> f64 attributes {passthrough = ["nobuiltin", "nounwind"]}
// CHECK-NEXT:  llvm.func @sinf(f32) -> f32 attributes {passthrough = ["nobuiltin", "nounwind"]}
// CHECK-NEXT:  llvm.func @expf(f32) -> f32 attributes {passthrough = ["nobuiltin", "nounwind"]}

// -----

// What ocl-expand-builtins leaves.
func.func @builtins(%x: f32, %y: f32) -> i32 {
  %m = ocl.builtin "fmod"(%x, %y) : (f32, f32) -> f32
  %g, %sign = ocl.builtin "lgamma_r"(%m) : (f32) -> (f32, i32)
  func.return %sign : i32
}

// CHECK-LABEL: llvm.func @builtins(%x: f32, %y: f32) -> i32 {
// CHECK-NEXT:    %0 = llvm.mlir.constant(1) : i64
// CHECK-NEXT:    %1 = llvm.alloca %0 x !llvm.array<4 x i8> {alignment = 4 : i64} : (i64) -> !llvm.ptr
// CHECK-NEXT:    llvm.call_intrinsic "llvm.lifetime.start.p0"(%1) : (!llvm.ptr) -> ()
// CHECK-NEXT:    %m = llvm.call @fmodf(%x, %y) : (f32, f32) -> f32
// CHECK-NEXT:    %g = llvm.call @lgammaf_r(%m, %1) : (f32, !llvm.ptr) -> f32
// CHECK-NEXT:    %sign = llvm.load %1 {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK-NEXT:    llvm.return %sign : i32
// CHECK-NEXT:  }
// CHECK-NEXT:  llvm.func @fmodf(f32, f32) -> f32 attributes {passthrough = ["nobuiltin", "nounwind"]}
// CHECK-NEXT:  llvm.func @lgammaf_r(f32, !llvm.ptr) -> f32 attributes {passthrough = ["nobuiltin", "nounwind"]}
