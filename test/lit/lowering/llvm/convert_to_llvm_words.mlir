// RUN: ocl-opt %s -p convert-to-llvm | filecheck %s --check-prefix=MASKS
// RUN: ocl-opt %s -p "convert-to-llvm{words=true}" | filecheck %s --check-prefix=ALWAYS
// RUN: ocl-opt %s -p "convert-to-llvm{masks=false}" | filecheck %s

// Elements of two bytes anywhere under a mask: the aligned words with them are gathered, and moved
// down. Lanes are tested one by one where a gather has no such form.
func.func @words(%p: !ocl.ptr<i16, global>, %at: vector<8xindex>, %m: vector<8xi1>) -> vector<8xi16> {
  %v = wg.gather %p[%at] mask %m : vector<8xi1> : vector<8xindex>, !ocl.ptr<i16, global> -> vector<8xi16>
  func.return %v : vector<8xi16>
}

// MASKS-LABEL: llvm.func @words
// MASKS:         [[START:%.*]] = llvm.ptrtoint %p
// MASKS:         [[REST:%.*]] = llvm.and [[START]]
// MASKS:         [[BASE:%.*]] = llvm.call_intrinsic "llvm.ptrmask.p0.i64"
// MASKS:         [[PLACE:%.*]] = llvm.add {{.*}} : vector<8xi64>
// MASKS:         [[ALIGNED:%.*]] = llvm.and [[PLACE]], {{.*}} : vector<8xi64>
// MASKS-NEXT:    [[ADDRESSES:%.*]] = llvm_ext.lane_addresses [[BASE]]{{.}}[[ALIGNED]]] stride 1
// MASKS:         [[WORDS:%.*]] = llvm.call_intrinsic "llvm.masked.gather.v8i32.v8p0"([[ADDRESSES]], %m
// MASKS:         [[MOVED:%.*]] = llvm.lshr [[WORDS]], {{.*}} : vector<8xi32>
// MASKS-NEXT:    llvm.trunc [[MOVED]] : vector<8xi32> to vector<8xi16>
// CHECK-LABEL: llvm.func @words
// CHECK:         "llvm.masked.gather.v8i16.v8p0"

// Elements at odd addresses may lie in two words.
func.func @packed(%p: !ocl.ptr<i16, global>, %at: vector<8xindex>, %m: vector<8xi1>) -> vector<8xi16> {
  %v = wg.gather %p[%at] stride 3 : i64 mask %m : vector<8xi1> : vector<8xindex>, !ocl.ptr<i16, global> -> vector<8xi16>
  func.return %v : vector<8xi16>
}

// MASKS-LABEL: llvm.func @packed
// MASKS:         "llvm.masked.gather.v8i16.v8p0"

// Without a mask lanes read such elements one by one, or gather words, where the processor does
// that in less time.
func.func @all(%p: !ocl.ptr<i8, global>, %at: vector<16xindex>) -> vector<16xi8> {
  %v = wg.gather %p[%at] : vector<16xindex>, !ocl.ptr<i8, global> -> vector<16xi8>
  func.return %v : vector<16xi8>
}

// MASKS-LABEL: llvm.func @all
// MASKS:         "llvm.masked.gather.v16i8.v16p0"
// ALWAYS-LABEL: llvm.func @all
// ALWAYS:        "llvm.masked.gather.v16i32.v16p0"
// ALWAYS:        llvm.trunc {{.*}} : vector<16xi32> to vector<16xi8>

// Of elements near the pointer, words are gathered by numbers of 32 bits: their distances in words
// are no negative numbers there.
func.func @near_pointer(%p: !ocl.ptr<i8, global>, %at: vector<16xindex>, %m: vector<16xi1>) -> vector<16xi8> {
  %v = wg.gather %p[%at] mask %m : vector<16xi1> {wg.in_reach} : vector<16xindex>, !ocl.ptr<i8, global> -> vector<16xi8>
  func.return %v : vector<16xi8>
}

// MASKS-LABEL: llvm.func @near_pointer
// MASKS:         [[BASE:%.*]] = llvm.call_intrinsic "llvm.ptrmask.p0.i64"
// MASKS:         llvm.trunc %at{{.*}} : vector<16xi64> to vector<16xi32>
// MASKS:         [[PLACE:%.*]] = llvm.add {{.*}} : vector<16xi32>
// MASKS:         [[NUMBERS:%.*]] = llvm.lshr [[PLACE]], {{.*}} : vector<16xi32>
// MASKS:         [[WORDS:%.*]] = llvm.call_intrinsic "llvm.x86.avx512.mask.gather.dpi.512"({{.*}}, [[BASE]], [[NUMBERS]], %m
// MASKS:         llvm.lshr [[WORDS]], {{.*}} : vector<16xi32>
