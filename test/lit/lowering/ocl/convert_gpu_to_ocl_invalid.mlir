// RUN: ocl-opt %s -p convert-gpu-to-ocl --split-input-file --verify-diagnostics | filecheck %s

gpu.module @m {
  gpu.func @lanes(%x: memref<8xindex>) kernel {
    %i = gpu.lane_id
    memref.store %i, %x[%i] : memref<8xindex>
    gpu.return
  }
}
// CHECK: convert_gpu_to_ocl_invalid.mlir:5:5: error: 'gpu.lane_id' in a kernel is not supported by convert-gpu-to-ocl

// -----

gpu.module @m {
  gpu.func @carried(%x: memref<8xf32>, %y: memref<8xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %x) -> (memref<8xf32>) {
      scf.yield %y : memref<8xf32>
    }
    gpu.return
  }
}
// CHECK: convert_gpu_to_ocl_invalid.mlir:18:5: error: 'scf.for' takes memref<8xf32>; expected memrefs that are known where they are used

// -----

gpu.module @m {
  gpu.func @space(%x: memref<8xf32, 7>) kernel {
    gpu.return
  }
}
// CHECK: convert_gpu_to_ocl_invalid.mlir:29:3: error: memory space 7 : i64 of memref<8xf32, 7 : i64> is not supported; expected #gpu.address_space<global|workgroup|private|constant> or 1, 3, 4, 5

// -----

gpu.module @m {
  gpu.func @heap(%n: index) kernel {
    %x = memref.alloc() : memref<8xf32>
    gpu.return
  }
}
// CHECK: convert_gpu_to_ocl_invalid.mlir:39:5: error: 'memref.alloc' in global memory; a kernel allocates private memory (memref.alloca) and workgroup memory only

// -----

gpu.module @m {
  gpu.func @size(%n: index) kernel {
    %x = memref.alloca(%n) : memref<?xf32>
    gpu.return
  }
}
// CHECK: convert_gpu_to_ocl_invalid.mlir:49:5: error: 'memref.alloca' of memref<?xf32>: expected a size that is known at compile time

// -----

gpu.module @m {
  gpu.func @layout(%x: memref<4x4xf32, affine_map<(i, j) -> (j, i)>>) kernel {
    gpu.return
  }
}
// CHECK: convert_gpu_to_ocl_invalid.mlir:58:3: error: the layout of memref<4x4xf32, affine_map<{{.*}}>> is not supported; expected none, or strided<[...]>

// -----

gpu.module @m {
  gpu.func @element(%x: memref<4xbf16>) kernel {
    gpu.return
  }
}
// CHECK: convert_gpu_to_ocl_invalid.mlir:67:3: error: bf16 in memory is not supported; expected a type of OpenCL C

// -----

gpu.module @a {
  gpu.func @twice() kernel {
    gpu.return
  }
}
gpu.module @b {
  gpu.func @twice() kernel {
    gpu.return
  }
}
// CHECK: convert_gpu_to_ocl_invalid.mlir:81:3: error: two kernels are named 'twice'; rename one of them

// -----

gpu.module @m {
  gpu.func @block() kernel attributes {gpu.known_block_size = array<i32: 8, 0, 1>} {
    gpu.return
  }
}
// CHECK: convert_gpu_to_ocl_invalid.mlir:90:3: error: gpu.known_block_size = array<i32: 8, 0, 1>: expected 1 to 3 positive sizes

// -----

gpu.module @m {
  "gpu.func"() <{function_type = (memref<8xf32>) -> (), kernel}> ({
  ^bb0(%x: memref<8xf32>, %t: memref<8xf32, 3>):
    gpu.return
  }) {sym_name = "count", workgroup_attributions = 2 : i64} : () -> ()
}
// CHECK: error: workgroup_attributions counts more than there are attributions
