// RUN: ocl-opt %s -t llvm-ir | filecheck %s
// RUN: ocl-opt %s -p convert-to-llvm -t llvm-ir | filecheck %s

// The target llvm-ir: the LLVM dialect, with what llvm_ext adds to it, as LLVM IR.

// CHECK: @"table" = internal constant [4 x i8] c"\01\00\fe\ff", align 2
llvm.mlir.global internal constant @table(dense<[1, 0, -2, -1]> : tensor<4xi8>) {alignment = 2 : i64} : !llvm.array<4 x i8>

// CHECK: declare float @"sinf"(float %".1") nobuiltin nounwind
llvm.func external @sinf(f32) -> f32 attributes {passthrough = ["nobuiltin", "nounwind"]}

// CHECK: define <4 x float> @"vectors"(<4 x float> %".1", <4 x float> %".2", i64 %".3")
llvm.func @vectors(%v: vector<4xf32>, %w: vector<4xf32>, %i: i64) -> vector<4xf32> {
  // CHECK: fcmp olt <4 x float> %".1", %".2"
  %m = llvm_ext.fcmp "olt" %v, %w : vector<4xf32> -> vector<4xi1>
  // CHECK-NEXT: select <4 x i1> {{.+}}, <4 x float> %".1", <4 x float> %".2"
  %s = llvm_ext.select %m, %v, %w : vector<4xi1>, vector<4xf32>
  // CHECK-NEXT: extractelement <4 x float> {{.+}}, i64 %".3"
  %e = llvm_ext.extractelement %s[%i : i64] : vector<4xf32> -> f32
  // CHECK-NEXT: shufflevector <4 x float> {{.+}}, <4 x float> poison, <4 x i32> <i32 3, i32 poison, i32 1, i32 0>
  %p = llvm_ext.mlir.poison : vector<4xf32>
  %h = llvm.shufflevector %s, %p [3, -1, 1, 0] : vector<4xf32>
  // CHECK-NEXT: fptoui float {{.+}} to i8
  %u = llvm_ext.fptoui %e : f32 to i8
  // CHECK-NEXT: uitofp i8 {{.+}} to float
  %f = llvm_ext.uitofp %u : i8 to f32
  // CHECK-NEXT: call ccc float @"sinf"(float {{.+}})
  %r = llvm.call @sinf(%f) : (f32) -> f32
  llvm.return %h : vector<4xf32>
}

// CHECK: define void @"memory"(ptr %".1", i64 %".2", i32 %".3")
llvm.func @memory(%p: !llvm.ptr, %i: i64, %v: i32) {
  // CHECK: getelementptr inbounds [4 x i8], ptr %".1", i64 %".2"
  %q = llvm.getelementptr inbounds %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
  // CHECK-NEXT: load volatile i32, ptr {{.+}}, align 4
  %x = llvm_ext.volatile_load %q {alignment = 4 : i64} : !llvm.ptr -> i32
  // CHECK-NEXT: store volatile i32 {{.+}}, ptr %".1", align 8
  llvm.store volatile %x, %p {alignment = 8 : i64} : i32, !llvm.ptr
  // CHECK-NEXT: atomicrmw umax ptr %".1", i32 %".3" monotonic
  %a = llvm_ext.atomicrmw "umax" %p, %v "monotonic" : !llvm.ptr, i32
  // CHECK-NEXT: cmpxchg ptr %".1", i32 {{.+}}, i32 %".3" acq_rel monotonic
  %c = llvm_ext.cmpxchg %p, %a, %v "acq_rel" "monotonic" : !llvm.ptr, i32 -> !llvm.struct<(i32, i1)>
  // CHECK-NEXT: fence release
  llvm_ext.fence "release"
  llvm.return
}
