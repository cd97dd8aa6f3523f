// RUN: ocl-opt %s -p convert-to-llvm | filecheck %s

// Neighbouring elements: a load or store of a vector, aligned as one element, or the intrinsic
// with a mask, in which a lane that is off gets zero. Elements anywhere: addresses for all lanes.
func.func @lanes(%p: !ocl.ptr<f32, global>, %i: index, %at: vector<4xindex>, %m: vector<4xi1>) -> i1 {
  %v = wg.load %p[%i] : !ocl.ptr<f32, global> -> vector<4xf32>
  wg.store %v, %p[%i] : vector<4xf32>, !ocl.ptr<f32, global>
  %w = wg.load %p[%i] mask %m : vector<4xi1> : !ocl.ptr<f32, global> -> vector<4xf32>
  wg.store %w, %p[%i] mask %m : vector<4xi1> : vector<4xf32>, !ocl.ptr<f32, global>
  %g = wg.gather %p[%at] : vector<4xindex>, !ocl.ptr<f32, global> -> vector<4xf32>
  wg.scatter %g, %p[%at] stride 12 mask %m : vector<4xi1> : vector<4xf32>, vector<4xindex>, !ocl.ptr<f32, global>
  %any = wg.any_lane %m : vector<4xi1>
  func.return %any : i1
}

// CHECK-LABEL: llvm.func @lanes(%p: !llvm.ptr, %i: i64, %at: vector<4xi64>, %m: vector<4xi1>) -> i1 {
// CHECK-NEXT:      %0 = llvm.getelementptr inbounds %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:      %v = llvm.load %0 {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK-NEXT:      %1 = llvm.getelementptr inbounds %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:      llvm.store %v, %1 {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
// CHECK-NEXT:      %2 = llvm.getelementptr inbounds %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:      %3 = llvm.mlir.constant(dense<0.000000e+00> : vector<4xf32>) : vector<4xf32>
// CHECK-NEXT:      %w = llvm.call_intrinsic "llvm.masked.load.v4f32.p0"(%2, %m, %3) : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT:      %4 = llvm.getelementptr inbounds %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:      llvm.call_intrinsic "llvm.masked.store.v4f32.p0"(%w, %4, %m) : (vector<4xf32>, !llvm.ptr, vector<4xi1>) -> ()
// CHECK-NEXT:      %5 = llvm.mlir.constant(dense<true> : vector<4xi1>) : vector<4xi1>
// CHECK-NEXT:      %6 = llvm_ext.lane_addresses %p[%at] stride 4 : i64 : vector<4xi64> -> vector<4x!llvm.ptr>
// CHECK-NEXT:      %7 = llvm.mlir.constant(dense<0.000000e+00> : vector<4xf32>) : vector<4xf32>
// CHECK-NEXT:      %g = llvm.call_intrinsic "llvm.masked.gather.v4f32.v4p0"(%6, %5, %7) : (vector<4x!llvm.ptr>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT:      %8 = llvm_ext.lane_addresses %p[%at] stride 12 : i64 : vector<4xi64> -> vector<4x!llvm.ptr>
// CHECK-NEXT:      llvm.call_intrinsic "llvm.masked.scatter.v4f32.v4p0"(%g, %8, %m) : (vector<4xf32>, vector<4x!llvm.ptr>, vector<4xi1>) -> ()
// CHECK-NEXT:      %any = llvm.call_intrinsic "llvm.vector.reduce.or.v4i1"(%m) : (vector<4xi1>) -> i1
// CHECK-NEXT:      llvm.return %any : i1
// CHECK-NEXT:    }

// Each lane has an address of its own, which is not computed from null: that points nowhere.
!pair = !ocl.struct<"pair", {a: i32, b: i32}>
func.func @pointers(%at: vector<4xindex>) -> vector<4xi32> {
  %c0 = arith.constant 0 : i64
  %null = ocl.int_to_ptr %c0 : !ocl.ptr<!pair, global>
  %b = ocl.member %null["b"] : !ocl.ptr<!pair, global> -> !ocl.ptr<i32, global>
  %g = wg.gather %b[%at] stride 2 : i64 : vector<4xindex>, !ocl.ptr<i32, global> -> vector<4xi32>
  func.return %g : vector<4xi32>
}

// CHECK-LABEL: llvm.func @pointers
// CHECK:         [[FOUR:%.*]] = llvm.mlir.constant(dense<4> : vector<4xi64>) : vector<4xi64>
// CHECK-NEXT:    [[ADDRESSES:%.*]] = llvm.add {{%.*}}, [[FOUR]] : vector<4xi64>
// CHECK-NEXT:    llvm_ext.lane_pointers [[ADDRESSES]] : vector<4xi64> -> vector<4x!llvm.ptr>

// What each lane has side by side is accessed as a whole: up to 8 bytes as one integer, more as a
// vector of its own.
func.func @rows(%p: !ocl.ptr<f32, global>, %at: vector<2xindex>) {
  %pairs = wg.gather %p[%at] stride 8 : i64 : vector<2xindex>, !ocl.ptr<f32, global> -> vector<4xf32>
  wg.scatter %pairs, %p[%at] stride 8 : i64 : vector<4xf32>, vector<2xindex>, !ocl.ptr<f32, global>
  %rows = wg.gather %p[%at] stride 16 : i64 : vector<2xindex>, !ocl.ptr<f32, global> -> vector<8xf32>
  wg.scatter %rows, %p[%at] stride 16 : i64 : vector<8xf32>, vector<2xindex>, !ocl.ptr<f32, global>
  func.return
}

// CHECK-LABEL: llvm.func @rows
// CHECK:           %[[PAIRS:.*]] = llvm.call_intrinsic "llvm.masked.gather.v2i64.v2p0"({{.*}}) : (vector<2x!llvm.ptr>, vector<2xi1>, vector<2xi64>) -> vector<2xi64>
// CHECK-NEXT:      %pairs = llvm.bitcast %[[PAIRS]] : vector<2xi64> to vector<4xf32>
// CHECK:           llvm.call_intrinsic "llvm.masked.scatter.v2i64.v2p0"
// CHECK:           llvm_ext.lane_addresses %p_1[%at_2] stride 16
// CHECK:           %[[FIRST:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK-NEXT:      %[[SECOND:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK-NEXT:      %rows = llvm.shufflevector %[[FIRST]], %[[SECOND]] [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xf32>
// CHECK:           %[[PART:.*]] = llvm.shufflevector %rows, %rows [0, 1, 2, 3] : vector<8xf32>
// CHECK-NEXT:      llvm.store %[[PART]], %{{.*}} {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr

// A lane that is off reads zeros, and writes where nothing reads.
func.func @rows_of_some(%p: !ocl.ptr<f32, global>, %at: vector<2xindex>, %m: vector<2xi1>) {
  %rows = wg.gather %p[%at] stride 16 : i64 mask %m : vector<2xi1> : vector<2xindex>, !ocl.ptr<f32, global> -> vector<8xf32>
  wg.scatter %rows, %p[%at] stride 16 : i64 mask %m : vector<2xi1> : vector<8xf32>, vector<2xindex>, !ocl.ptr<f32, global>
  func.return
}

// CHECK-LABEL: llvm.func @rows_of_some
// CHECK:           %[[NOWHERE:.*]] = llvm.alloca
// CHECK:           %[[ZEROS:.*]] = llvm.alloca
// CHECK:           llvm.store %{{.*}}, %[[ZEROS]] {{.*}} vector<16xi8>, !llvm.ptr
// CHECK:           %[[OTHERS:.*]] = llvm_ext.lane_addresses %[[ZEROS]]
// CHECK:           llvm_ext.select %m_1, %{{.*}}, %[[OTHERS]]
// CHECK:           %[[OTHERS:.*]] = llvm_ext.lane_addresses %[[NOWHERE]]
// CHECK:           llvm_ext.select %m_1, %{{.*}}, %[[OTHERS]]

// Lanes that add to one counter are found by the processor: the last of them adds for all.
func.func @counters(%n: i32, %p: !ocl.ptr<i32, local>, %at: vector<4xindex>, %m: vector<4xi1>) {
  wg.update add %n, %p[%at] mask %m : vector<4xi1> : i32, vector<4xindex>, !ocl.ptr<i32, local>
  func.return
}

// CHECK-LABEL: llvm.func @counters
// CHECK:           %[[BEFORE:.*]] = llvm.call_intrinsic "llvm.x86.avx512.conflict.d.128"
// CHECK:           llvm.bitcast %{{.*}} : vector<4xi1> to i4
// CHECK:           %[[BEFORE_ON:.*]] = llvm.and %[[BEFORE]], %{{.*}} : vector<4xi32>
// CHECK-NEXT:      %{{.*}} = llvm.call_intrinsic "llvm.ctpop.v4i32"(%[[BEFORE_ON]])
// CHECK:           llvm.call_intrinsic "llvm.masked.gather.v4i32.v4p0"
// CHECK:           llvm.call_intrinsic "llvm.masked.scatter.v4i32.v4p0"

// The lanes that are on, as bits.
func.func @bits(%m: vector<16xi1>) -> i64 {
  %bits = wg.lane_bits %m : vector<16xi1>
  func.return %bits : i64
}

// CHECK-LABEL: llvm.func @bits
// CHECK:           %[[BITS:.*]] = llvm.bitcast %m{{.*}} : vector<16xi1> to i16
// CHECK-NEXT:      llvm.zext %[[BITS]] : i16 to i64

// Loads that stay in order are volatile ones for LLVM, which reorders others.
func.func @in_order(%p: !ocl.ptr<f32, global>, %i: index) -> vector<16xf32> {
  %v = wg.load %p[%i] {wg.in_order} : !ocl.ptr<f32, global> -> vector<16xf32>
  func.return %v : vector<16xf32>
}

// CHECK-LABEL: llvm.func @in_order(
// CHECK: llvm_ext.volatile_load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>

// Elements less than 2^32 bytes from the pointer: of twelve bytes each, they are three times as many
// words from it as their numbers say, which fits 32 bits.
func.func @near_pointer(%p: !ocl.ptr<f32, global>, %at: vector<16xindex>, %m: vector<16xi1>) -> vector<16xf32> {
  %g = wg.gather %p[%at] stride 12 mask %m : vector<16xi1> {wg.in_reach} : vector<16xindex>, !ocl.ptr<f32, global> -> vector<16xf32>
  func.return %g : vector<16xf32>
}

// CHECK-LABEL: llvm.func @near_pointer
// CHECK-NEXT:    [[NUMBERS:%.*]] = llvm.trunc %at{{.*}} : vector<16xi64> to vector<16xi32>
// CHECK-NEXT:    [[THREE:%.*]] = llvm.mlir.constant(dense<3> : vector<16xi32>) : vector<16xi32>
// CHECK-NEXT:    [[WORDS:%.*]] = llvm.mul [[NUMBERS]], [[THREE]] : vector<16xi32>
// CHECK-NEXT:    [[ZERO:%.*]] = llvm.mlir.constant(dense<0.000000e+00> : vector<16xf32>) : vector<16xf32>
// CHECK-NEXT:    [[SCALE:%.*]] = llvm.mlir.constant(4 : i32) : i32
// CHECK-NEXT:    %g{{.*}} = llvm.call_intrinsic "llvm.x86.avx512.mask.gather.dps.512"([[ZERO]], %p{{.*}}, [[WORDS]], %m{{.*}}, [[SCALE]])
