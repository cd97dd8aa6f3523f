// RUN: ocl-opt %s -p ocl-to-spir | filecheck %s

// Ids and barriers are calls of OpenCL C's functions by their mangled names, which LLVM writes as
// SPIR-V's variables and instructions. Each address space of OpenCL has its number.

// CHECK: llvm.mlir.global internal @k.local.0() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<256 x i8>
// CHECK-NEXT: llvm.func @k(%x: !llvm.ptr<1> {llvm.align = 4 : i64}, %c: !llvm.ptr<2> {llvm.align = 4 : i64, llvm.readonly}, %t: !llvm.ptr<3> {llvm.align = 4 : i64})
// CHECK-SAME: llvm_ext.cconv = "spir_kernel"
ocl.kernel @k(
    %x: !ocl.ptr<f32, global> {ocl.name = "x"},
    %c: !ocl.ptr<f32, constant> {ocl.name = "c"},
    %t: !ocl.ptr<f32, local> {ocl.name = "t"}
) {
  // CHECK-NEXT: %memory = llvm.mlir.addressof @k.local.0 : !llvm.ptr<3>
  %memory = ocl.local_alloc : !ocl.ptr<!ocl.array<64 x f32>, local>
  // CHECK-NEXT: %[[zero:.*]] = llvm.mlir.constant(0 : i32) : i32
  // CHECK-NEXT: %i = llvm.call @_Z13get_global_idj(%[[zero]]) : (i32) -> i64
  %i = ocl.global_id 0 : index
  // CHECK: llvm.call @_Z12get_work_dimv() : () -> i32
  %dimensions = ocl.work_dim : index
  // CHECK: %[[both:.*]] = llvm.mlir.constant(3 : i32) : i32
  // CHECK-NEXT: llvm.call @_Z7barrierj(%[[both]]) : (i32) -> ()
  ocl.barrier local global
  %a = ocl.load %c[%i] : !ocl.ptr<f32, constant>
  %tile = ocl.cast %memory : !ocl.ptr<!ocl.array<64 x f32>, local> to !ocl.ptr<f32, local>
  ocl.store %a, %tile[%dimensions] : !ocl.ptr<f32, local>
  %b = ocl.load %t[%i] : !ocl.ptr<f32, local>
  // CHECK: llvm.call @_Z4fminff(%a, %b) : (f32, f32) -> f32
  %m = arith.minnumf %a, %b : f32
  ocl.store %m, %x[%i] : !ocl.ptr<f32, global>
  ocl.return
}
// CHECK: llvm.func @_Z13get_global_idj(i32) -> i64 attributes {passthrough = ["convergent", "nounwind"]}
