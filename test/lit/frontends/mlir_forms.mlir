// RUN: ocl-opt %s | filecheck %s
// RUN: ocl-opt %s | ocl-opt | filecheck %s
// RUN: ocl-opt %s --print-op-generic | ocl-opt | filecheck %s

// What mlir-opt writes and xDSL does not read: `arith` on vectors is `vec`, comparisons have
// attributes, and `gpu` and `memref` have custom syntax. The operations are xDSL's own.

func.func @arith(%a: vector<4xi32>, %i: i32, %x: vector<4xf32>) {
  // CHECK: %m = vec.cmpi slt, %a, %a {foo} : vector<4xi32>
  %m = arith.cmpi slt, %a, %a {foo} : vector<4xi32>
  // CHECK-NEXT: %n = "arith.cmpi"(%i, %i) <{predicate = 2 : i64}> {foo} : (i32, i32) -> i1
  %n = arith.cmpi slt, %i, %i {foo} : i32
  // CHECK-NEXT: %o = vec.cmpf olt, %x, %x fastmath<nnan> : vector<4xf32>
  %o = arith.cmpf olt, %x, %x fastmath<nnan> : vector<4xf32>
  // CHECK-NEXT: %0 = vec.select %m, %a, %a : vector<4xi1>, vector<4xi32>
  %0 = arith.select %m, %a, %a : vector<4xi1>, vector<4xi32>
  // CHECK-NEXT: %1 = arith.select %n, %a, %a : vector<4xi32>
  %1 = arith.select %n, %a, %a : vector<4xi32>
  // CHECK-NEXT: %2 = arith.extsi %i : i32 to i64
  %2 = arith.extsi %i : i32 to i64
  // CHECK-NEXT: %3 = vec.extsi %a : vector<4xi32> to vector<4xi64>
  %3 = "arith.extsi"(%a) : (vector<4xi32>) -> vector<4xi64>
  // CHECK-NEXT: %4 = vec.sitofp %a : vector<4xi32> to vector<4xf32>
  %4 = arith.sitofp %a : vector<4xi32> to vector<4xf32>
  func.return
}

gpu.module @kernels {
  // CHECK: "gpu.func"() <{function_type = (memref<4xf32>, memref<4xf32, #gpu.address_space<workgroup>>) -> (), kernel}>
  gpu.func @copy(%x: memref<4xf32>) workgroup(%t: memref<4xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    // CHECK: %i = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    %i = gpu.thread_id x
    // CHECK-NEXT: %c = "memref.cast"(%x) : (memref<4xf32>) -> memref<?xf32>
    %c = memref.cast %x : memref<4xf32> to memref<?xf32>
    gpu.return
  }
  // CHECK: {{.*}}known_block_size = array<i32: 4, 1, 1>{{.*}}workgroup_attributions = 1 : i64, private_attributions = 0 : i64
}
