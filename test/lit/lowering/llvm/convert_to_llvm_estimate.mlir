// RUN: ocl-opt %s -p "convert-to-llvm{estimate=true}" | filecheck %s
// RUN: ocl-opt %s -p "convert-to-llvm" | filecheck %s --check-prefix=EXACT
// RUN: ocl-opt %s -p "convert-to-llvm{estimate=true slow_division=true}" | filecheck %s --check-prefix=ROOT

// A reciprocal square root of 16 floats from the processor's estimate of 14 bits, which a step of
// Newton's method improves; where that is no number (of zero, of infinity) the estimate is exact,
// and the step, 1 then, leaves it as it is.
// Without the option it is a root and a division.
// EXACT-NOT: rsqrt14
// EXACT: llvm.fdiv
func.func @rsqrt(%x: vector<16xf32>) -> vector<16xf32> {
  %r = math.rsqrt %x : vector<16xf32>
  func.return %r : vector<16xf32>
}

// CHECK-LABEL: llvm.func @rsqrt(%x: vector<16xf32>) -> vector<16xf32> {
// CHECK-NEXT:        %0 = llvm.mlir.constant(dense<0.000000e+00> : vector<16xf32>) : vector<16xf32>
// CHECK-NEXT:        %1 = llvm.mlir.constant(-1 : i16) : i16
// CHECK-NEXT:        %2 = llvm.call_intrinsic "llvm.x86.avx512.rsqrt14.ps.512"(%x, %0, %1) : (vector<16xf32>, vector<16xf32>, i16) -> vector<16xf32>
// CHECK-NEXT:        %3 = llvm.mlir.constant(dense<8388608> : vector<16xi32>) : vector<16xi32>
// CHECK-NEXT:        %4 = llvm.bitcast %2 : vector<16xf32> to vector<16xi32>
// CHECK-NEXT:        %5 = llvm.sub %4, %3 : vector<16xi32>
// CHECK-NEXT:        %6 = llvm.bitcast %5 : vector<16xi32> to vector<16xf32>
// CHECK-NEXT:        %7 = llvm.fneg %6 : vector<16xf32>
// CHECK-NEXT:        %8 = llvm.fmul %x, %7 : vector<16xf32>
// CHECK-NEXT:        %9 = llvm.mlir.constant(dense<5.000000e-01> : vector<16xf32>) : vector<16xf32>
// CHECK-NEXT:        %10 = llvm.call_intrinsic "llvm.fma.v16f32"(%8, %2, %9) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
// CHECK-NEXT:        %11 = llvm.mlir.constant(dense<1.000000e+00> : vector<16xf32>) : vector<16xf32>
// CHECK-NEXT:        %12 = llvm_ext.fcmp "olt" %10, %11 : vector<16xf32> -> vector<16xi1>
// CHECK-NEXT:        %13 = llvm_ext.select %12, %10, %11 : vector<16xi1>, vector<16xf32>
// CHECK-NEXT:        %r = llvm.call_intrinsic "llvm.fma.v16f32"(%2, %13, %2) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
// CHECK-NEXT:        llvm.return %r : vector<16xf32>
// CHECK-NEXT:      }

// Of doubles that fill registers it takes two steps, after estimates of 8 of them at once.
func.func @rsqrt_of_doubles(%x: vector<16xf64>) -> vector<16xf64> {
  %r = math.rsqrt %x : vector<16xf64>
  func.return %r : vector<16xf64>
}

// CHECK-LABEL: llvm.func @rsqrt_of_doubles
// CHECK-COUNT-2: rsqrt14.pd.512
// CHECK-COUNT-4: "llvm.fma.v16f64"
// CHECK-NOT: llvm.fma

// A root that is rounded to float, as that of hypot, comes from an estimate where divisions are slow.
func.func @root_to_round(%x: vector<8xf64>) -> vector<8xf32> {
  %r = math.sqrt %x fastmath<afn> : vector<8xf64>
  %s = vec.truncf %r : vector<8xf64> to vector<8xf32>
  func.return %s : vector<8xf32>
}

// CHECK-LABEL: llvm.func @root_to_round
// CHECK: llvm.sqrt
// ROOT-LABEL: llvm.func @root_to_round
// ROOT: rsqrt14.pd.512
// ROOT-COUNT-7: "llvm.fma.v8f64"
// ROOT: llvm_ext.select

// A double stays exact.
func.func @root(%x: vector<8xf64>) -> vector<8xf64> {
  %r = math.sqrt %x fastmath<afn> : vector<8xf64>
  func.return %r : vector<8xf64>
}

// ROOT-LABEL: llvm.func @root
// ROOT-NOT: rsqrt14
// ROOT: llvm.sqrt
