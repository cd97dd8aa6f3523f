// RUN: ocl-opt %s -p "convert-to-llvm{tables=true}" | filecheck %s
// RUN: ocl-opt %s -p "convert-to-llvm" | filecheck %s --check-prefix=MEMORY

// With `tables`, a gather from a small array of constants chooses among the elements of registers.

ocl.constant @small : !ocl.array<3 x i32> = [7 : i32, 8 : i32, -9 : i32]
ocl.constant @large : !ocl.array<40 x f32> = [
  0.0 : f32, 1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32, 7.0 : f32,
  0.0 : f32, 1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32, 7.0 : f32,
  0.0 : f32, 1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32, 7.0 : f32,
  0.0 : f32, 1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32, 7.0 : f32,
  0.0 : f32, 1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32, 7.0 : f32]

// One pair of registers; the lanes above those of the gather are any.
// CHECK-LABEL: @of_a_pair
// CHECK: llvm.mlir.constant(dense<[7, 8, -9, 0, 0,
// CHECK: %[[NARROW:.*]] = llvm.trunc %{{.*}} : vector<8xi64> to vector<8xi32>
// CHECK: %[[INDICES:.*]] = llvm.shufflevector %[[NARROW]], %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7, -1,
// CHECK: "llvm.x86.avx512.vpermi2var.d.512"(%{{.*}}, %[[INDICES]], %{{.*}})
// CHECK-NOT: llvm.intr
// MEMORY-LABEL: @of_a_pair
// MEMORY: llvm.masked.gather
func.func @of_a_pair(%i: vector<8xindex>) -> vector<8xi32> {
  %a = ocl.address_of @small : !ocl.ptr<!ocl.array<3 x i32>, constant>
  %p = ocl.cast %a : !ocl.ptr<!ocl.array<3 x i32>, constant> to !ocl.ptr<i32, constant>
  %v = wg.gather %p[%i] : vector<8xindex>, !ocl.ptr<i32, constant> -> vector<8xi32>
  func.return %v : vector<8xi32>
}

// Two pairs, between which bit 5 of the index chooses. Lanes that are off have 0.
// CHECK-LABEL: @of_two_pairs
// CHECK-COUNT-2: "llvm.x86.avx512.vpermi2var.d.512"
// CHECK: llvm.mlir.constant(dense<32> : vector<16xi32>)
// CHECK: llvm.and
// CHECK: %[[SECOND:.*]] = llvm.icmp "ne"
// CHECK: llvm_ext.select %[[SECOND]]
// CHECK: llvm.bitcast %{{.*}} : vector<16xi32> to vector<16xf32>
// CHECK: llvm_ext.select %mask,
// MEMORY-LABEL: @of_two_pairs
// MEMORY: llvm.masked.gather
func.func @of_two_pairs(%i: vector<16xindex>, %mask: vector<16xi1>) -> vector<16xf32> {
  %a = ocl.address_of @large : !ocl.ptr<!ocl.array<40 x f32>, constant>
  %p = ocl.cast %a : !ocl.ptr<!ocl.array<40 x f32>, constant> to !ocl.ptr<f32, constant>
  %v = wg.gather %p[%i] mask %mask : vector<16xi1> : vector<16xindex>, !ocl.ptr<f32, constant> -> vector<16xf32>
  func.return %v : vector<16xf32>
}

// More words than four pairs hold: the four bytes of each, of which 64 are looked up at once, are interleaved.
ocl.constant @words : !ocl.array<136 x i32> = [
  0 : i32, 1 : i32, 2 : i32, 3 : i32, 4 : i32, 5 : i32, 6 : i32, 7 : i32,
  0 : i32, 1 : i32, 2 : i32, 3 : i32, 4 : i32, 5 : i32, 6 : i32, 7 : i32,
  0 : i32, 1 : i32, 2 : i32, 3 : i32, 4 : i32, 5 : i32, 6 : i32, 7 : i32,
  0 : i32, 1 : i32, 2 : i32, 3 : i32, 4 : i32, 5 : i32, 6 : i32, 7 : i32,
  0 : i32, 1 : i32, 2 : i32, 3 : i32, 4 : i32, 5 : i32, 6 : i32, 7 : i32,
  0 : i32, 1 : i32, 2 : i32, 3 : i32, 4 : i32, 5 : i32, 6 : i32, 7 : i32,
  0 : i32, 1 : i32, 2 : i32, 3 : i32, 4 : i32, 5 : i32, 6 : i32, 7 : i32,
  0 : i32, 1 : i32, 2 : i32, 3 : i32, 4 : i32, 5 : i32, 6 : i32, 7 : i32,
  0 : i32, 1 : i32, 2 : i32, 3 : i32, 4 : i32, 5 : i32, 6 : i32, 7 : i32,
  0 : i32, 1 : i32, 2 : i32, 3 : i32, 4 : i32, 5 : i32, 6 : i32, 7 : i32,
  0 : i32, 1 : i32, 2 : i32, 3 : i32, 4 : i32, 5 : i32, 6 : i32, 7 : i32,
  0 : i32, 1 : i32, 2 : i32, 3 : i32, 4 : i32, 5 : i32, 6 : i32, 7 : i32,
  0 : i32, 1 : i32, 2 : i32, 3 : i32, 4 : i32, 5 : i32, 6 : i32, 7 : i32,
  0 : i32, 1 : i32, 2 : i32, 3 : i32, 4 : i32, 5 : i32, 6 : i32, 7 : i32,
  0 : i32, 1 : i32, 2 : i32, 3 : i32, 4 : i32, 5 : i32, 6 : i32, 7 : i32,
  0 : i32, 1 : i32, 2 : i32, 3 : i32, 4 : i32, 5 : i32, 6 : i32, 7 : i32,
  0x12345678 : i32, 1 : i32, 2 : i32, 3 : i32, 4 : i32, 5 : i32, 6 : i32, 7 : i32]

// CHECK-LABEL: @of_words
// CHECK: llvm.mlir.constant(dense<{{.*}}120, 1, 2, 3, 4, 5, 6, 7, 0, {{.*}}> : vector<64xi8>)
// CHECK: llvm.trunc %{{.*}} : vector<16xi64> to vector<16xi8>
// CHECK-COUNT-8: "llvm.x86.avx512.vpermi2var.qi.512"
// CHECK: llvm.bitcast %{{.*}} : vector<64xi8> to vector<32xi16>
// CHECK: llvm.bitcast %{{.*}} : vector<32xi16> to vector<16xi32>
// CHECK-NOT: llvm.masked.gather
// CHECK: llvm.return
// MEMORY-LABEL: @of_words
// MEMORY: llvm.masked.gather
func.func @of_words(%i: vector<16xindex>) -> vector<16xi32> {
  %a = ocl.address_of @words : !ocl.ptr<!ocl.array<136 x i32>, constant>
  %p = ocl.cast %a : !ocl.ptr<!ocl.array<136 x i32>, constant> to !ocl.ptr<i32, constant>
  %v = wg.gather %p[%i] : vector<16xindex>, !ocl.ptr<i32, constant> -> vector<16xi32>
  func.return %v : vector<16xi32>
}
