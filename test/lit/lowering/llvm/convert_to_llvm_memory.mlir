// RUN: ocl-opt %s -p convert-to-llvm --split-input-file | filecheck %s

// Memory is bytes. What a caller gives is aligned for elements only, own memory as OpenCL C has it.

func.func @accesses(%g: !ocl.ptr<vector<4xf32>, global>, %l: !ocl.ptr<vector<4xf32>, local>, %i: index) {
  %v = ocl.load %g[%i] : !ocl.ptr<vector<4xf32>, global>
  ocl.store %v, %l[%i] : !ocl.ptr<vector<4xf32>, local>
  %w = ocl.load volatile %l : !ocl.ptr<vector<4xf32>, local>
  ocl.store volatile %w, %g : !ocl.ptr<vector<4xf32>, global>
  func.return
}

// CHECK-LABEL: llvm.func @accesses(%g: !llvm.ptr, %l: !llvm.ptr, %i: i64) {
// CHECK-NEXT:    %0 = llvm.getelementptr inbounds %g[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<16 x i8>
// CHECK-NEXT:    %v = llvm.load %0 {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK-NEXT:    %1 = llvm.getelementptr inbounds %l[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<16 x i8>
// CHECK-NEXT:    llvm.store %v, %1 {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr
// CHECK-NEXT:    %w = llvm_ext.volatile_load %l {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK-NEXT:    llvm.store volatile %w, %g {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
// CHECK-NEXT:    llvm.return
// CHECK-NEXT:  }

// -----

// A vector of 3 elements has the memory of 4, which a load reads; a store writes 3.
func.func @three(%g: !ocl.ptr<vector<3xf32>, global>, %p: !ocl.ptr<f32, global>, %i: index) {
  %v = ocl.load %g[%i] : !ocl.ptr<vector<3xf32>, global>
  ocl.vstore %v, %p[%i] : vector<3xf32>, !ocl.ptr<f32, global>
  %w = ocl.vload %p[%i] : !ocl.ptr<f32, global> -> vector<3xf32>
  ocl.store %w, %g : !ocl.ptr<vector<3xf32>, global>
  func.return
}

// CHECK-LABEL: llvm.func @three(%g: !llvm.ptr, %p: !llvm.ptr, %i: i64) {
// CHECK-NEXT:    %0 = llvm.getelementptr inbounds %g[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<16 x i8>
// CHECK-NEXT:    %1 = llvm.load %0 {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK-NEXT:    %2 = llvm_ext.mlir.poison : vector<4xf32>
// CHECK-NEXT:    %v = llvm.shufflevector %1, %2 [0, 1, 2] : vector<4xf32>
// CHECK-NEXT:    %3 = llvm.getelementptr inbounds %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<12 x i8>
// CHECK-NEXT:    llvm.store %v, %3 {alignment = 4 : i64} : vector<3xf32>, !llvm.ptr
// CHECK-NEXT:    %4 = llvm.getelementptr inbounds %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<12 x i8>
// CHECK-NEXT:    %w = llvm.load %4 {alignment = 4 : i64} : !llvm.ptr -> vector<3xf32>
// CHECK-NEXT:    llvm.store %w, %g {alignment = 4 : i64} : vector<3xf32>, !llvm.ptr
// CHECK-NEXT:    llvm.return
// CHECK-NEXT:  }

// -----

// A struct is a value of its fields, in memory at the offsets of its own layout.
!packed = !ocl.struct<"packed", {tag: i8, size: f64} packed>
func.func @structs(%p: !ocl.ptr<!packed, global>) -> f64 {
  %s = ocl.load %p : !ocl.ptr<!packed, global>
  %x = ocl.extract %s["size"] : !packed -> f64
  %t = ocl.insert %x, %s["size"] : f64, !packed
  ocl.store %t, %p : !ocl.ptr<!packed, global>
  %m = ocl.member %p["size"] : !ocl.ptr<!packed, global> -> !ocl.ptr<f64, global>
  %y = ocl.load %m : !ocl.ptr<f64, global>
  func.return %y : f64
}

// CHECK-LABEL: llvm.func @structs(%p: !llvm.ptr) -> f64 {
// CHECK-NEXT:    %0 = llvm_ext.mlir.poison : !llvm.struct<(i8, f64)>
// CHECK-NEXT:    %1 = llvm.load %p {alignment = 1 : i64} : !llvm.ptr -> i8
// CHECK-NEXT:    %2 = llvm.insertvalue %1, %0[0] : !llvm.struct<(i8, f64)>
// CHECK-NEXT:    %3 = llvm.getelementptr inbounds %p[1] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:    %x = llvm.load %3 {alignment = 1 : i64} : !llvm.ptr -> f64
// CHECK-NEXT:    %s = llvm.insertvalue %x, %2[1] : !llvm.struct<(i8, f64)>
// CHECK-NEXT:    %t = llvm.insertvalue %x, %s[1] : !llvm.struct<(i8, f64)>
// CHECK-NEXT:    llvm.store %1, %p {alignment = 1 : i64} : i8, !llvm.ptr
// CHECK-NEXT:    %4 = llvm.getelementptr inbounds %p[1] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:    llvm.store %x, %4 {alignment = 1 : i64} : f64, !llvm.ptr
// CHECK-NEXT:    %m = llvm.getelementptr inbounds %p[1] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:    %y = llvm.load %m {alignment = 1 : i64} : !llvm.ptr -> f64
// CHECK-NEXT:    llvm.return %y : f64
// CHECK-NEXT:  }

// -----

// Private memory is allocated once, in front of loops.
func.func @stack(%n: index, %p: !ocl.ptr<i32, global>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %a = ocl.alloca : !ocl.ptr<!ocl.array<4 x i32>, private>
  %e = ocl.cast %a : !ocl.ptr<!ocl.array<4 x i32>, private> to !ocl.ptr<i32, private>
  %v = ocl.load %e[%i] : !ocl.ptr<i32, private>
  ocl.store %v, %p[%i] : !ocl.ptr<i32, global>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^end:
  func.return
}

// CHECK-LABEL: llvm.func @stack(%n: i64, %p: !llvm.ptr) {
// CHECK-NEXT:    %0 = llvm.mlir.constant(1) : i64
// CHECK-NEXT:    %a = llvm.alloca %0 x !llvm.array<16 x i8> {alignment = 16 : i64} : (i64) -> !llvm.ptr
// CHECK-NEXT:    llvm.call_intrinsic "llvm.lifetime.start.p0"(%a) : (!llvm.ptr) -> ()
// CHECK-NEXT:    %c0 = llvm.mlir.constant(0) : i64
// CHECK-NEXT:    %c1 = llvm.mlir.constant(1) : i64
// CHECK-NEXT:    llvm.br ^bb1(%c0 : i64)
// CHECK-NEXT:  ^bb1(%i: i64):
// CHECK-NEXT:    %more = llvm.icmp "slt" %i, %n : i64
// CHECK-NEXT:    llvm.cond_br %more, ^bb2, ^bb3
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    %1 = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:    %v = llvm.load %1 {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK-NEXT:    %2 = llvm.getelementptr inbounds %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:    llvm.store %v, %2 {alignment = 4 : i64} : i32, !llvm.ptr
// CHECK-NEXT:    %next = llvm.add %i, %c1 : i64
// CHECK-NEXT:    llvm.br ^bb1(%next : i64)
// CHECK-NEXT:  ^bb3:
// CHECK-NEXT:    llvm.return
// CHECK-NEXT:  }

// -----

// Program-scope data is a global of bytes.
ocl.constant @table : !ocl.array<2 x i16> = [1 : i16, -2 : i16]
func.func @lookup(%i: index) -> i16 {
  %t = ocl.address_of @table : !ocl.ptr<!ocl.array<2 x i16>, constant>
  %e = ocl.cast %t : !ocl.ptr<!ocl.array<2 x i16>, constant> to !ocl.ptr<i16, constant>
  %v = ocl.load %e[%i] : !ocl.ptr<i16, constant>
  func.return %v : i16
}

// CHECK-LABEL: llvm.mlir.global internal constant @table(dense<[1, 0, -2, -1]> : tensor<4xi8>) {addr_space = 0 : i32, alignment = 2 : i64} : !llvm.array<4 x i8>
// CHECK-NEXT:  llvm.func @lookup(%i: i64) -> i16 {
// CHECK-NEXT:    %t = llvm.mlir.addressof @table : !llvm.ptr
// CHECK-NEXT:    %0 = llvm.getelementptr inbounds %t[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x i8>
// CHECK-NEXT:    %v = llvm.load %0 {alignment = 2 : i64} : !llvm.ptr -> i16
// CHECK-NEXT:    llvm.return %v : i16
// CHECK-NEXT:  }

// -----

func.func @pointers(%p: !ocl.ptr<f32, global>, %i: index) -> !ocl.ptr<f32, global> {
  %q = ocl.offset %p[%i] : !ocl.ptr<f32, global>
  ocl.prefetch %q[%i] : !ocl.ptr<f32, global>
  %a = ocl.ptr_to_int %q : !ocl.ptr<f32, global>
  %r = ocl.int_to_ptr %a : !ocl.ptr<f32, global>
  %n = ocl.null : !ocl.ptr<f32, global>
  %b = ocl.ptr_to_int %n : !ocl.ptr<f32, global>
  %same = arith.cmpi eq, %a, %b : i64
  %s = arith.select %same, %r, %n : !ocl.ptr<f32, global>
  func.return %s : !ocl.ptr<f32, global>
}

// CHECK-LABEL: llvm.func @pointers(%p: !llvm.ptr, %i: i64) -> !llvm.ptr {
// CHECK-NEXT:    %q = llvm.getelementptr inbounds %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
// CHECK-NEXT:    %0 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:    %1 = llvm.mlir.constant(3 : i32) : i32
// CHECK-NEXT:    %2 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:    llvm.call_intrinsic "llvm.prefetch.p0"(%q, %0, %1, %2) : (!llvm.ptr, i32, i32, i32) -> ()
// CHECK-NEXT:    %a = llvm.ptrtoint %q : !llvm.ptr to i64
// CHECK-NEXT:    %r = llvm.inttoptr %a : i64 to !llvm.ptr
// CHECK-NEXT:    %n = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:    %b = llvm.ptrtoint %n : !llvm.ptr to i64
// CHECK-NEXT:    %same = llvm.icmp "eq" %a, %b : i64
// CHECK-NEXT:    %s = llvm.select %same, %r, %n : i1, !llvm.ptr
// CHECK-NEXT:    llvm.return %s : !llvm.ptr
// CHECK-NEXT:  }

// -----

func.func @atomics(%p: !ocl.ptr<i32, global>, %f: !ocl.ptr<f32, local>, %v: i32, %x: f32) -> i32 {
  %a = ocl.atomic_rmw smin %p, %v : !ocl.ptr<i32, global>
  %b = ocl.atomic_rmw fadd %f, %x : !ocl.ptr<f32, local>
  ocl.fence acq_rel local global
  %c = ocl.atomic_cmpxchg %p, %a, %v : !ocl.ptr<i32, global>
  func.return %c : i32
}

// CHECK-LABEL: llvm.func @atomics(%p: !llvm.ptr, %f: !llvm.ptr, %v: i32, %x: f32) -> i32 {
// CHECK-NEXT:    %a = llvm_ext.atomicrmw "min" %p, %v "monotonic" : !llvm.ptr, i32
// CHECK-NEXT:    %b = llvm_ext.atomicrmw "fadd" %f, %x "monotonic" : !llvm.ptr, f32
// CHECK-NEXT:    llvm_ext.fence "acq_rel"
// CHECK-NEXT:    %0 = llvm_ext.cmpxchg %p, %a, %v "monotonic" "monotonic" : !llvm.ptr, i32 -> !llvm.struct<(i32, i1)>
// CHECK-NEXT:    %c = llvm.extractvalue %0[0] : !llvm.struct<(i32, i1)>
// CHECK-NEXT:    llvm.return %c : i32
// CHECK-NEXT:  }

// -----

// An element of an array in a struct.
!rows = !ocl.struct<"rows", {n: i32, m: !ocl.array<2 x !ocl.array<3 x f32>>}>
func.func @element(%s: !rows) -> f32 {
  %x = ocl.extract %s["m"] at [1, 2] : !rows -> f32
  func.return %x : f32
}

// CHECK-LABEL: llvm.func @element
// CHECK-NEXT:    %0 = llvm.extractvalue %s[1] : !llvm.struct<(i32, !llvm.array<2 x !llvm.array<3 x f32>>)>
// CHECK-NEXT:    %1 = llvm.extractvalue %0[1] : !llvm.array<2 x !llvm.array<3 x f32>>
// CHECK-NEXT:    %x = llvm.extractvalue %1[2] : !llvm.array<3 x f32>
