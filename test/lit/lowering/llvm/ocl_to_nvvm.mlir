// RUN: ocl-opt %s -p ocl-to-nvvm | filecheck %s
// RUN: ocl-opt %s -p "ocl-to-nvvm{local_pointers=true}" | filecheck %s --check-prefix=OPENCL

// A kernel is a function with the calling convention of kernels. Pointers are in address spaces:
// global memory is 1, local memory 3. `restrict` and `const` are facts about a parameter, and a
// vector is passed as bytes. An id is made of special registers and of the offset, which no register
// has: it becomes a parameter.

// CHECK: llvm.mlir.global external @polycl_local() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// CHECK-NEXT: llvm.mlir.global internal @k.local.0() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<256 x i8>
// CHECK-NEXT: llvm.func @k(%x: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.noalias, llvm.readonly},
// CHECK-SAME: %t: i64,
// CHECK-SAME: %v: !llvm.ptr {llvm.align = 16 : i64, llvm.byval = !llvm.struct<(!llvm.array<16 x i8>)>},
// CHECK-SAME: %global_offset_x: i64)
// CHECK-SAME: llvm_ext.cconv = "ptx_kernel"
// CHECK-SAME: passthrough = {{\[\[}}"nvvm.reqntid", "64,1,1"]]
// CHECK-SAME: nvvm.launch_arguments = ["global_offset.0"]
// OPENCL: llvm.func @k({{.*}}, %t: !llvm.ptr<3> {llvm.align = 4 : i64},
ocl.kernel @k(
    %x: !ocl.ptr<f32, global> {ocl.name = "x", ocl.restrict, ocl.const},
    %t: !ocl.ptr<f32, local> {ocl.name = "t"},
    %v: vector<4xf32> {ocl.name = "v"}
) attributes {reqd_work_group_size = array<i64: 64, 1, 1>} {
  // A parameter for local memory is where it starts in what the launch adds.
  // CHECK: %[[added:.*]] = llvm.mlir.addressof @polycl_local : !llvm.ptr<3>
  // CHECK: llvm.getelementptr inbounds %[[added]][%t]
  // CHECK: %[[memory:.*]] = llvm.mlir.addressof @k.local.0 : !llvm.ptr<3>
  %memory = ocl.local_alloc : !ocl.ptr<!ocl.array<64 x f32>, local>
  %tile = ocl.cast %memory : !ocl.ptr<!ocl.array<64 x f32>, local> to !ocl.ptr<f32, local>
  // CHECK: %[[group:.*]] = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.ctaid.x"() : () -> i32
  // CHECK-NEXT: llvm.zext %[[group]] : i32 to i64
  // CHECK: "llvm.nvvm.read.ptx.sreg.tid.x"
  // CHECK: %i = llvm.add %{{.*}}, %global_offset_x : i64
  %i = ocl.global_id 0 : index
  %l = ocl.local_id 0 : index
  %a = ocl.load %x[%i] : !ocl.ptr<f32, global>
  ocl.store %a, %tile[%l] : !ocl.ptr<f32, local>
  // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"(%{{.*}}) : (i32) -> ()
  ocl.barrier local
  %b = ocl.load %tile[%i] : !ocl.ptr<f32, local>
  %c = vector.extract %v[2] : f32 from vector<4xf32>
  // Divisions and roots are as exact as OpenCL C asks, unless a formula counts on more.
  // CHECK: llvm.call_intrinsic "llvm.nvvm.div.full"
  // CHECK: llvm.fdiv
  // CHECK: llvm.call_intrinsic "llvm.nvvm.sqrt.approx.f"
  %d = arith.divf %b, %c : f32
  %e = arith.divf %d, %c {ocl.no_contract} : f32
  %f = math.sqrt %e : f32
  ocl.store %f, %t[%l] : !ocl.ptr<f32, local>
  ocl.return
}

// Constant memory is global memory that nothing writes.
// CHECK: llvm.func @constants(%{{.*}}: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.readonly}
// CHECK: llvm.load %{{.*}} {llvm_ext.invariant, alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
ocl.kernel @constants(
    %c: !ocl.ptr<vector<4xf32>, constant> {ocl.name = "c"},
    %out: !ocl.ptr<vector<4xf32>, global> {ocl.name = "out"}
) {
  %i = ocl.local_id 0 : index
  %v = ocl.load %c[%i] : !ocl.ptr<vector<4xf32>, constant>
  ocl.store %v, %out[%i] : !ocl.ptr<vector<4xf32>, global>
  ocl.return
}

// Only the work-group sees an atomic access to local memory.
// CHECK: llvm.func @atomics
// CHECK: llvm_ext.atomicrmw "add" %{{.*}}, %{{.*}} "monotonic" scope "device"
// CHECK: llvm_ext.atomicrmw "add" %{{.*}}, %{{.*}} "monotonic" scope "block"
// CHECK: llvm_ext.fence "acq_rel" scope "block"
// CHECK: llvm_ext.fence "release" scope "device"
ocl.kernel @atomics(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %t = ocl.local_alloc : !ocl.ptr<i32, local>
  %old = ocl.atomic_rmw add %x, %n : !ocl.ptr<i32, global>
  %other = ocl.atomic_rmw add %t, %n : !ocl.ptr<i32, local>
  ocl.fence acq_rel local
  ocl.fence release local global
  ocl.return
}

// A sub-group of 16 is half a warp: values move by shuffles, in segments of 16 lanes (0x101F).
// CHECK: llvm.func @sums
// CHECK: "llvm.nvvm.read.ptx.sreg.laneid"
// CHECK: "llvm.nvvm.vote.ballot.sync"
// CHECK: %[[clamp:.*]] = llvm.mlir.constant(4127 : i32) : i32
// CHECK: "llvm.nvvm.shfl.sync.bfly.i32"
// CHECK: llvm.fadd
// CHECK: "llvm.nvvm.bar.warp.sync"
ocl.kernel @sums(%x: !ocl.ptr<f32, global> {ocl.name = "x"}) {
  %v = ocl.load %x : !ocl.ptr<f32, global>
  %s = ocl.group_reduce sub_group add %v : f32
  ocl.store %s, %x : !ocl.ptr<f32, global>
  ocl.barrier sub_group local
  ocl.return
}

// A vector is printed as its elements, and a float passed as a double.
// CHECK: llvm.func @prints
// CHECK: llvm.fpext %{{.*}} : f32 to f64
// CHECK: llvm.call @vprintf
ocl.kernel @prints(%v: vector<2xf32> {ocl.name = "v"}, %n: i32 {ocl.name = "n"}) {
  %r = ocl.printf "%d %v2hlf\n"(%n, %v) : (i32, vector<2xf32>) -> i32
  ocl.return
}

// More local memory than a program may declare is added by the launch.
// CHECK: llvm.func @large{{.*}}nvvm.local_bytes = 65536 : i64
ocl.kernel @large(%x: !ocl.ptr<f32, global> {ocl.name = "x"}) {
  %memory = ocl.local_alloc : !ocl.ptr<!ocl.array<16384 x f32>, local>
  %tile = ocl.cast %memory : !ocl.ptr<!ocl.array<16384 x f32>, local> to !ocl.ptr<f32, local>
  %v = ocl.load %tile : !ocl.ptr<f32, local>
  ocl.store %v, %x : !ocl.ptr<f32, global>
  ocl.return
}

// Tensor cores, and copies from global to local memory that go on while the work-item computes. A
// store that is no copy of 4, 8 or 16 bytes stays one.

// CHECK-LABEL: llvm.func @tensor
ocl.kernel @tensor(
    %src: !ocl.ptr<f32, global> {ocl.name = "src"},
    %out: !ocl.ptr<f32, global> {ocl.name = "out"}
) {
  %i = ocl.local_id 0 : index
  %memory = ocl.local_alloc : !ocl.ptr<!ocl.array<256 x f32>, local>
  %tile = ocl.cast %memory : !ocl.ptr<!ocl.array<256 x f32>, local> to !ocl.ptr<f32, local>
  %v = ocl.load %src[%i] : !ocl.ptr<f32, global>
  // CHECK: llvm.call_intrinsic "llvm.nvvm.cp.async.ca.shared.global.4"
  ocl.store %v, %tile[%i] {ocl.async} : !ocl.ptr<f32, local>
  %src4 = ocl.cast %src : !ocl.ptr<f32, global> to !ocl.ptr<vector<4xf32>, global>
  %tile4 = ocl.cast %tile : !ocl.ptr<f32, local> to !ocl.ptr<vector<4xf32>, local>
  %w = ocl.load %src4[%i] : !ocl.ptr<vector<4xf32>, global>
  // CHECK: llvm.call_intrinsic "llvm.nvvm.cp.async.cg.shared.global.16"
  ocl.store %w, %tile4[%i] {ocl.async} : !ocl.ptr<vector<4xf32>, local>
  %sum = arith.addf %v, %v : f32
  // CHECK: llvm.store {{.*}} : f32, !llvm.ptr<3>
  ocl.store %sum, %tile[%i] {ocl.async} : !ocl.ptr<f32, local>
  // CHECK: llvm.call_intrinsic "llvm.nvvm.cp.async.commit.group"
  ocl.commit_copies
  // CHECK: llvm.call_intrinsic "llvm.nvvm.cp.async.wait.group"
  ocl.wait_copies 1
  ocl.barrier local
  %zero = arith.constant 0.0 : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3"
  %a = ocl.load_matrix %tile[%i] : !ocl.ptr<f32, local> -> vector<4xi32>
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3"
  %b = ocl.load_matrix %tile[%i] transposed : !ocl.ptr<f32, local> -> vector<2xi32>
  // CHECK: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"
  %d:4 = ocl.mma %a, %b, %zero, %zero, %zero, %zero : vector<4xi32>, vector<2xi32>, f32, f32, f32, f32 -> f32, f32, f32, f32
  ocl.store %d#0, %out[%i] : !ocl.ptr<f32, global>
  ocl.return
}

// Products of 64 rows, which tensor cores read from local memory: descriptors of the matrices, each
// 16 steps further. Statements of PTX are one, so that nothing touches the sums in between.

// CHECK-LABEL: llvm.func @wide
ocl.kernel @wide(%out: !ocl.ptr<f32, global> {ocl.name = "out"}) {
  %memory = ocl.local_alloc : !ocl.ptr<!ocl.array<8192 x f16>, local>
  %tile = ocl.cast %memory : !ocl.ptr<!ocl.array<8192 x f16>, local> to !ocl.ptr<f16, local>
  %i = ocl.local_id 0 : index
  %start = arith.constant 4096 : index
  %zero = arith.constant 0.0 : f32
  // CHECK: llvm.inline_asm has_side_effects "fence.proxy.async.shared::cta;", "~{memory}"
  ocl.wait_copies 0 for_products
  ocl.barrier local
  // CHECK: llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $4, $5, 1, 1, 1, 0, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $6, $7, 1, 1, 1, 0, 0; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 1;", "=f,=f,=f,=f,l,l,l,l,0,1,2,3,~{memory}"
  %d:4 = ocl.wgmma steps 32 pending 1 %tile[%start], %tile[%start], %zero, %zero, %zero, %zero : !ocl.ptr<f16, local>, !ocl.ptr<f16, local>, f32, f32, f32, f32 -> f32, f32, f32, f32
  // CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,0,1,2,3,~{memory}"
  %e:4 = ocl.wait_products %d#0, %d#1, %d#2, %d#3 : f32, f32, f32, f32 -> f32, f32, f32, f32
  ocl.store %e#0, %out[%i] : !ocl.ptr<f32, global>
  ocl.return
}
