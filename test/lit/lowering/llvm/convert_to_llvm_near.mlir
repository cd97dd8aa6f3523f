// RUN: ocl-opt %s -p "convert-to-llvm{tables=true}" | filecheck %s
// RUN: ocl-opt %s -p "convert-to-llvm" | filecheck %s --check-prefix=GATHERED
// RUN: ocl-opt %s -p "convert-to-llvm{tables=true words=true}" | filecheck %s --check-prefix=APART
// RUN: ocl-opt %s -t llvm-ir -p "convert-to-llvm{tables=true}" | filecheck %s --check-prefix=LLVM

// With `tables`, a function loads 64 bytes from the first lane's element, if those of all lanes are in there.
// CHECK-LABEL: @bytes
// CHECK: llvm.call @polycl_near.1.16.i64(%{{.*}}, %{{.*}})
// APART-LABEL: @bytes
// APART: llvm.call @polycl_near.1.16.i64.words(
// GATHERED-LABEL: @bytes
// GATHERED: llvm.masked.gather
func.func @bytes(%p: !ocl.ptr<i8, global>, %i: vector<16xindex>) -> vector<16xi8> {
  %v = wg.gather %p[%i] {wg.near} : vector<16xindex>, !ocl.ptr<i8, global> -> vector<16xi8>
  func.return %v : vector<16xi8>
}

// Indices of 32 bits stay as they are. Lanes that are off have 0.
// CHECK-LABEL: @floats
// CHECK: llvm.call @polycl_near.4.16.sext.mask(
// CHECK: llvm.bitcast %{{.*}} : vector<16xi32> to vector<16xf32>
func.func @floats(%p: !ocl.ptr<f32, global>, %i: vector<16xi32>, %m: vector<16xi1>) -> vector<16xf32> {
  %w = vec.index_cast %i : vector<16xi32> to vector<16xindex>
  %v = wg.gather %p[%w] mask %m : vector<16xi1> {wg.near} : vector<16xindex>, !ocl.ptr<f32, global> -> vector<16xf32>
  func.return %v : vector<16xf32>
}

// Elements less than 2^32 bytes from the pointer are compared, and gathered, by numbers of 32 bits.
// CHECK-LABEL: @in_reach
// CHECK: llvm.trunc %{{.*}} : vector<16xi64> to vector<16xi32>
// CHECK: llvm.call @polycl_near.4.16.sext.numbers(
func.func @in_reach(%p: !ocl.ptr<f32, global>, %i: vector<16xindex>) -> vector<16xf32> {
  %v = wg.gather %p[%i] {wg.near, wg.in_reach} : vector<16xindex>, !ocl.ptr<f32, global> -> vector<16xf32>
  func.return %v : vector<16xf32>
}

// CHECK-LABEL: @bytes_in_reach
// CHECK: llvm.call @polycl_near.1.16.zext.mask.words.numbers(
func.func @bytes_in_reach(%p: !ocl.ptr<i8, global>, %i: vector<16xindex>, %m: vector<16xi1>) -> vector<16xi8> {
  %v = wg.gather %p[%i] mask %m : vector<16xi1> {wg.near, wg.in_reach} : vector<16xindex>, !ocl.ptr<i8, global> -> vector<16xi8>
  func.return %v : vector<16xi8>
}

// CHECK-LABEL: @doubles_in_reach
// CHECK: llvm.call @polycl_near.8.8.sext(
func.func @doubles_in_reach(%p: !ocl.ptr<f64, global>, %i: vector<8xindex>) -> vector<8xf64> {
  %v = wg.gather %p[%i] {wg.near, wg.in_reach} : vector<8xindex>, !ocl.ptr<f64, global> -> vector<8xf64>
  func.return %v : vector<8xf64>
}

// What takes more than a register is gathered.
// CHECK-LABEL: @too_many
// CHECK: llvm.masked.gather
func.func @too_many(%p: !ocl.ptr<f64, global>, %i: vector<16xindex>) -> vector<16xf64> {
  %v = wg.gather %p[%i] {wg.near} : vector<16xindex>, !ocl.ptr<f64, global> -> vector<16xf64>
  func.return %v : vector<16xf64>
}

// LLVM-LABEL: define internal <16 x i8> @"polycl_near.1.16.i64"(ptr %pointer,
// LLVM: br i1 %is.row, label %row, label %apart
// LLVM: load <64 x i8>, ptr %start
// LLVM: @llvm.x86.avx512.permvar.qi.512
// LLVM: apart:
// LLVM: @llvm.masked.gather.v16i8.v16p0
// LLVM-LABEL: define internal <16 x i32> @"polycl_near.4.16.sext.mask"
// LLVM-LABEL: define internal <16 x i32> @"polycl_near.4.16.sext.numbers"
// LLVM: sub <16 x i32> %indices, %firsts
// LLVM: apart:
// LLVM: @llvm.x86.avx512.mask.gather.dpi.512
// LLVM-LABEL: define internal <16 x i8> @"polycl_near.1.16.zext.mask.words.numbers"
// LLVM: apart:
// LLVM: lshr <16 x i32> %place, splat (i32 2)
// LLVM: @llvm.x86.avx512.mask.gather.dpi.512

// Bytes of a small table are chosen in registers, by the low bits of an index.
// CHECK-LABEL: @table
// CHECK: llvm.trunc %{{.*}} : vector<16xi64> to vector<16xi8>
// CHECK: llvm.call @polycl_table.200.16.mask(
// GATHERED-LABEL: @table
// GATHERED: llvm.masked.gather
func.func @table(%p: !ocl.ptr<i8, global>, %i: vector<16xindex>, %m: vector<16xi1>) -> vector<16xi8> {
  %v = wg.gather %p[%i] mask %m : vector<16xi1> {wg.table = 200 : i64} : vector<16xindex>, !ocl.ptr<i8, global> -> vector<16xi8>
  func.return %v : vector<16xi8>
}

// CHECK-LABEL: @array
// CHECK: llvm.call @polycl_table.100.16.mapped(
func.func @array(%p: !ocl.ptr<i8, local>, %i: vector<16xindex>) -> vector<16xi8> {
  %v = wg.gather %p[%i] {wg.table = 100 : i64, wg.mapped} : vector<16xindex>, !ocl.ptr<i8, local> -> vector<16xi8>
  func.return %v : vector<16xi8>
}

// What may lie in a page that is not there is loaded up to the last byte that a lane asks for.
// LLVM: define internal <16 x i8> @"polycl_table.200.16.mask"
// LLVM: %is.in.page = icmp ule i64 %in.page, 3840
// LLVM: %any = call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> %mask)
// LLVM: %fits = and i1 %is.in.page, %any
// LLVM: %last = call i8 @llvm.vector.reduce.umax.v16i8(
// LLVM: define internal <16 x i8> @"polycl_table.100.16.mapped"
