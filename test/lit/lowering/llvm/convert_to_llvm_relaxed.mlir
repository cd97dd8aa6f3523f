// RUN: ocl-opt %s -p "convert-to-llvm{relaxed=true estimate=true slow_division=true}" | filecheck %s
// RUN: ocl-opt %s -p "convert-to-llvm{relaxed=true estimate=true}" | filecheck %s --check-prefix=FAST
// RUN: ocl-opt %s -p "convert-to-llvm{relaxed=true estimate=true slow_division=true}" -t llvm-ir | filecheck %s --check-prefix=IR
// RUN: ocl-opt %s -p "convert-to-llvm{contract=false}" | filecheck %s --check-prefix=EXACT
// LLVM gets the flags that options of the program gave to operations. It makes no estimates, which
// are wrong for 0 and infinity: those are made here.

func.func @scalars(%x: f32, %y: f32) -> f32 {
  %s = arith.addf %x, %y fastmath<reassoc,nsz,arcp,contract,afn> : f32
  %n = arith.negf %s fastmath<nsz> : f32
  %q = arith.divf %n, %y fastmath<reassoc,nsz,arcp,contract,afn> : f32
  func.return %q : f32
}
// CHECK-LABEL: llvm.func @scalars
// CHECK:         llvm.fadd %{{x.*}}, %{{y.*}} {fastmathFlags = #llvm.fastmath<reassoc,nsz,arcp,contract,afn>} : f32
// CHECK-NEXT:    llvm.fneg %{{s.*}} {fastmathFlags = #llvm.fastmath<nsz>} : f32
// CHECK-NEXT:    llvm.fdiv %{{n.*}}, %{{y.*}} {fastmathFlags = #llvm.fastmath<reassoc,nsz,arcp,contract,afn>} : f32
// IR:            define float @"scalars"(float %".1", float %".2") "reciprocal-estimates"="none"
// IR:            fdiv reassoc nsz arcp contract afn float
// EXACT-NOT:     fastmath

// Sums that only patterns reassociate are added in the order of passes.
func.func @pattern(%x: f32, %y: f32) -> f32 {
  %s = arith.addf %x, %y fastmath<reassoc> : f32
  func.return %s : f32
}
// CHECK-LABEL: llvm.func @pattern
// CHECK:         llvm.fadd %{{x.*}}, %{{y.*}} : f32

// A number for all lanes has one reciprocal.
func.func @splat(%x: vector<16xf32>, %y: f32) -> vector<16xf32> {
  %v = vector.broadcast %y : f32 to vector<16xf32>
  %q = arith.divf %x, %v fastmath<reassoc,nsz,arcp,contract,afn> : vector<16xf32>
  func.return %q : vector<16xf32>
}
// FAST-LABEL: llvm.func @splat
// FAST:         llvm.fdiv %{{.*}}, %{{y.*}} {{.*}} : f32
// FAST:         llvm.fmul %{{x.*}}, %{{.*}} : vector<16xf32>

// One step after the estimate; where that is infinite or 0 it is the result.
func.func @quotient(%x: vector<16xf32>, %y: vector<16xf32>) -> vector<16xf32> {
  %q = arith.divf %x, %y fastmath<arcp,afn> : vector<16xf32>
  func.return %q : vector<16xf32>
}
// CHECK-LABEL: llvm.func @quotient
// CHECK:         %[[E:.*]] = llvm.call_intrinsic "llvm.x86.avx512.rcp14.ps.512"
// CHECK:         %[[OK:.*]] = llvm_ext.fcmp "ogt"
// CHECK:         %[[R:.*]] = llvm_ext.select %[[OK]], %{{.*}}, %[[E]]
// CHECK:         llvm.fmul %{{x.*}}, %[[R]] : vector<16xf32>
// FAST-LABEL:  llvm.func @quotient
// FAST:          llvm.fdiv %{{x.*}}, %{{y.*}} : vector<16xf32>

func.func @over_root(%x: vector<8xf32>, %y: vector<8xf32>) -> vector<8xf32> {
  %r = math.sqrt %y fastmath<afn> : vector<8xf32>
  %q = arith.divf %x, %r fastmath<arcp,afn> : vector<8xf32>
  func.return %q : vector<8xf32>
}
// FAST-LABEL:  llvm.func @over_root
// FAST:          llvm.call_intrinsic "llvm.x86.avx512.rsqrt14.ps.256"
// FAST:          llvm.fmul

// Without flags the processor divides, whatever is permitted elsewhere.
func.func @exact(%x: vector<16xf32>, %y: vector<16xf32>) -> vector<16xf32> {
  %q = arith.divf %x, %y : vector<16xf32>
  func.return %q : vector<16xf32>
}
// CHECK-LABEL: llvm.func @exact
// CHECK:         llvm.fdiv %{{x.*}}, %{{y.*}} : vector<16xf32>
// IR:            define <16 x float> @"exact"(<16 x float> %".1", <16 x float> %".2") nounwind
