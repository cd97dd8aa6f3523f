// RUN: ocl-opt %s -p convert-gpu-to-ocl --split-input-file | filecheck %s

// What MLIR's gpu dialect calls threads and blocks are work-items and work-groups.

gpu.module @queries {
  gpu.func @queries(%out: memref<8xindex>) kernel attributes {known_block_size = array<i32: 8, 2, 1>} {
    %c0 = arith.constant 0 : index
    %tid = gpu.thread_id x
    %bid = gpu.block_id y
    %dim = gpu.block_dim z
    %grid = gpu.grid_dim x
    %gid = gpu.global_id x
    memref.store %tid, %out[%bid] : memref<8xindex>
    memref.store %dim, %out[%grid] : memref<8xindex>
    gpu.barrier
    memref.store %gid, %out[%c0] : memref<8xindex>
    gpu.return
  }
}

// An index is an i64 in memory.

// CHECK-LABEL: ocl.kernel @queries(%out: !ocl.ptr<i64, global> {ocl.name = "out"}) attributes {reqd_work_group_size = array<i64: 8, 2, 1>} {
// CHECK-NEXT:   %tid = ocl.local_id 0 : index
// CHECK-NEXT:   %bid = ocl.group_id 1 : index
// CHECK-NEXT:   %dim = ocl.local_size 2 : index
// CHECK-NEXT:   %grid = ocl.num_groups 0 : index
// CHECK-NEXT:   %gid = ocl.global_id 0 : index
// CHECK-NEXT:   %0 = arith.index_cast %tid : index to i64
// CHECK-NEXT:   ocl.store %0, %out[%bid] : !ocl.ptr<i64, global>
// CHECK-NEXT:   %1 = arith.index_cast %dim : index to i64
// CHECK-NEXT:   ocl.store %1, %out[%grid] : !ocl.ptr<i64, global>
// CHECK-NEXT:   ocl.barrier local global
// CHECK-NEXT:   %2 = arith.index_cast %gid : index to i64
// CHECK-NEXT:   ocl.store %2, %out : !ocl.ptr<i64, global>
// CHECK-NEXT:   ocl.return

// -----

// Sizes that a type leaves open are parameters after all others. The launch takes them from the
// array. A size that no access needs stays a parameter: the types alone say what a kernel takes.

gpu.module @sizes {
  gpu.func @sizes(%m: memref<?x?xf32>, %flag: i1, %n: index) kernel {
    %m1 = memref.load %m[%n, %n] : memref<?x?xf32>
    scf.if %flag {
      memref.store %m1, %m[%n, %n] : memref<?x?xf32>
    }
    gpu.return
  }
}

// CHECK-LABEL: ocl.kernel @sizes(%m: !ocl.ptr<f32, global> {ocl.name = "m"}, %flag: i8 {ocl.name = "flag"}, %n: i64 {ocl.name = "n"}, %m_size0: i64 {ocl.name = "m_size0", ocl.implied = "m.size0"}, %m_size1: i64 {ocl.name = "m_size1", ocl.implied = "m.size1"}) {
// CHECK-NEXT:   %m_size1_1 = arith.index_cast %m_size1 : i64 to index
// CHECK-NEXT:   %0 = arith.constant 0 : i8
// CHECK-NEXT:   %flag_1 = arith.cmpi ne, %flag, %0 : i8
// CHECK-NEXT:   %n_1 = arith.index_cast %n : i64 to index
// CHECK-NEXT:   %1 = arith.muli %n_1, %m_size1_1 : index
// CHECK-NEXT:   %2 = arith.addi %1, %n_1 : index
// CHECK-NEXT:   %m1 = ocl.load %m[%2] : !ocl.ptr<f32, global>
// CHECK-NEXT:   scf.if %flag_1 {

// -----

// Strides and offsets, of a parameter and of a subview.

gpu.module @strided {
  gpu.func @strided(%m: memref<4x8xf32, strided<[?, 1], offset: ?>>, %i: index) kernel {
    %v = memref.load %m[%i, %i] : memref<4x8xf32, strided<[?, 1], offset: ?>>
    %row = memref.subview %m[%i, 0] [1, 8] [1, 1] : memref<4x8xf32, strided<[?, 1], offset: ?>> to memref<8xf32, strided<[1], offset: ?>>
    memref.store %v, %row[%i] : memref<8xf32, strided<[1], offset: ?>>
    gpu.return
  }
}

// CHECK-LABEL: ocl.kernel @strided(%m: !ocl.ptr<f32, global> {ocl.name = "m"}, %i: i64 {ocl.name = "i"}, %m_offset: i64 {ocl.name = "m_offset", ocl.implied = "m.offset"}, %m_stride0: i64 {ocl.name = "m_stride0", ocl.implied = "m.stride0"}) {
// CHECK-NEXT:   %m_offset_1 = arith.index_cast %m_offset : i64 to index
// CHECK-NEXT:   %m_stride0_1 = arith.index_cast %m_stride0 : i64 to index
// CHECK-NEXT:   %i_1 = arith.index_cast %i : i64 to index
// CHECK-NEXT:   %0 = arith.muli %i_1, %m_stride0_1 : index
// CHECK-NEXT:   %1 = arith.addi %m_offset_1, %0 : index
// CHECK-NEXT:   %2 = arith.addi %1, %i_1 : index
// CHECK-NEXT:   %v = ocl.load %m[%2] : !ocl.ptr<f32, global>
// CHECK-NEXT:   %3 = arith.muli %i_1, %m_stride0_1 : index
// CHECK-NEXT:   %4 = arith.addi %m_offset_1, %3 : index
// CHECK-NEXT:   %5 = arith.addi %4, %i_1 : index
// CHECK-NEXT:   ocl.store %v, %m[%5] : !ocl.ptr<f32, global>

// -----

// Memory: attributions, private memory, a table of constants, the numbers of NVVM.

memref.global "private" constant @table : memref<3xf32> = dense<[1.0, 2.0, 4.0]>

func.func @memory(%tile: memref<?xf32, 3>) attributes {gpu.kernel, gpu.workgroup_size = array<i64: 64>} {
  %i = gpu.thread_id x
  %p = memref.alloca() : memref<4xi1>
  %t = memref.get_global @table : memref<3xf32>
  %v = memref.load %t[%i] : memref<3xf32>
  memref.store %v, %tile[%i] : memref<?xf32, 3>
  %b = memref.load %p[%i] : memref<4xi1>
  memref.store %b, %p[%i] : memref<4xi1>
  return
}

// CHECK-LABEL: ocl.constant @table : !ocl.array<3 x f32> = [1.000000e+00 : f32, 2.000000e+00 : f32, 4.000000e+00 : f32]
// CHECK-NEXT: ocl.kernel @memory(%tile: !ocl.ptr<f32, local> {ocl.name = "tile"}, %tile_size0: i64 {ocl.name = "tile_size0", ocl.implied = "tile.size0"}) attributes {reqd_work_group_size = array<i64: 64, 1, 1>} {
// CHECK-NEXT:   %p = ocl.alloca : !ocl.ptr<!ocl.array<4 x i8>, private>
// CHECK-NEXT:   %p_1 = ocl.cast %p : !ocl.ptr<!ocl.array<4 x i8>, private> to !ocl.ptr<i8, private>
// CHECK-NEXT:   %i = ocl.local_id 0 : index
// CHECK-NEXT:   %0 = ocl.address_of @table : !ocl.ptr<!ocl.array<3 x f32>, constant>
// CHECK-NEXT:   %table = ocl.cast %0 : !ocl.ptr<!ocl.array<3 x f32>, constant> to !ocl.ptr<f32, constant>
// CHECK-NEXT:   %v = ocl.load %table[%i] : !ocl.ptr<f32, constant>
// CHECK-NEXT:   ocl.store %v, %tile[%i] : !ocl.ptr<f32, local>
// CHECK-NEXT:   %1 = ocl.load %p_1[%i] : !ocl.ptr<i8, private>
// CHECK-NEXT:   %2 = arith.constant 0 : i8
// CHECK-NEXT:   %b = arith.cmpi ne, %1, %2 : i8
// CHECK-NEXT:   %3 = arith.extui %b : i1 to i8
// CHECK-NEXT:   ocl.store %3, %p_1[%i] : !ocl.ptr<i8, private>
// CHECK-NEXT:   ocl.return

// -----

// Functions that a kernel calls come along. They take pointers to any space: who calls, knows.

gpu.module @calls {
  func.func @first(%m: memref<?xf32>) -> f32 {
    %c0 = arith.constant 0 : index
    %v = memref.load %m[%c0] : memref<?xf32>
    return %v : f32
  }
  gpu.func @calls(%m: memref<?xf32>)
      workgroup(%w: memref<16xf32, #gpu.address_space<workgroup>>) private(%p: memref<1xf32, 5>) kernel {
    %c0 = arith.constant 0 : index
    %v = func.call @first(%m) : (memref<?xf32>) -> f32
    memref.store %v, %w[%c0] : memref<16xf32, #gpu.address_space<workgroup>>
    memref.store %v, %p[%c0] : memref<1xf32, 5>
    gpu.return
  }
}

// CHECK-LABEL: func.func private @first(%m: !ocl.ptr<f32, generic>, %m_size0: index) -> f32 {
// CHECK-NEXT:   %v = ocl.load %m : !ocl.ptr<f32, generic>
// CHECK-NEXT:   func.return %v : f32
// CHECK:      ocl.kernel @calls(
// CHECK-NEXT:   %w = ocl.local_alloc : !ocl.ptr<!ocl.array<16 x f32>, local>
// CHECK-NEXT:   %w_1 = ocl.cast %w : !ocl.ptr<!ocl.array<16 x f32>, local> to !ocl.ptr<f32, local>
// CHECK-NEXT:   %p = ocl.alloca : !ocl.ptr<!ocl.array<1 x f32>, private>
// CHECK-NEXT:   %p_1 = ocl.cast %p : !ocl.ptr<!ocl.array<1 x f32>, private> to !ocl.ptr<f32, private>
// CHECK-NEXT:   %m_size0_1 = arith.index_cast %m_size0 : i64 to index
// CHECK-NEXT:   %0 = ocl.cast %m : !ocl.ptr<f32, global> to !ocl.ptr<f32, generic>
// CHECK-NEXT:   %v = func.call @first(%0, %m_size0_1) : (!ocl.ptr<f32, generic>, index) -> f32
// CHECK-NEXT:   ocl.store %v, %w_1 : !ocl.ptr<f32, local>
// CHECK-NEXT:   ocl.store %v, %p_1 : !ocl.ptr<f32, private>
