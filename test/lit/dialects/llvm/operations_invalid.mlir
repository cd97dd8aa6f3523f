// RUN: OCL_INVALID

func.func @f(%v: vector<4xf32>, %n: i64) {
  // CHECK: [[# @LINE + 1]]:3: error: 'llvm_ext.extractelement': an element of vector<4xf32> is not of type i32
  %0 = llvm_ext.extractelement %v[%n : i64] : vector<4xf32> -> i32
  func.return
}

// -----

func.func @f(%x: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'llvm_ext.fcmp': unknown predicate 'lt'; expected one of oeq, ogt, oge, olt, ole, one, ord, ueq, ugt, uge, ult, ule, une, uno
  %0 = llvm_ext.fcmp "lt" %x, %x : f32 -> i1
  func.return
}

// -----

func.func @f(%x: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: Unexpected attribute f32
  %0 = llvm_ext.fptosi %x : f32 to f32
  func.return
}

// -----

func.func @f(%c: i1, %x: f32) {
  // CHECK: [[# @LINE + 1]]:3: error: i1 should be of base attribute vector
  %0 = llvm_ext.select %c, %x, %x : i1, f32
  func.return
}

// -----

func.func @f(%p: !llvm.ptr, %v: i32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'llvm_ext.atomicrmw': unknown operation 'mul'; expected one of xchg, add, sub, and, or, xor, max, min, umax, umin, fadd
  %0 = llvm_ext.atomicrmw "mul" %p, %v "seq_cst" : !llvm.ptr, i32
  func.return
}

// -----

func.func @f(%p: !llvm.ptr, %v: i32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'llvm_ext.atomicrmw': unknown ordering 'relaxed'; expected one of monotonic, acquire, release, acq_rel, seq_cst
  %0 = llvm_ext.atomicrmw "add" %p, %v "relaxed" : !llvm.ptr, i32
  func.return
}

// -----

func.func @f(%p: !llvm.ptr, %v: i32) {
  // CHECK: [[# @LINE + 1]]:3: error: 'llvm_ext.cmpxchg': unknown ordering 'strong'; expected one of monotonic, acquire, release, acq_rel, seq_cst
  %0 = llvm_ext.cmpxchg %p, %v, %v "strong" "seq_cst" : !llvm.ptr, i32 -> !llvm.struct<(i32, i1)>
  func.return
}

// -----

func.func @f() {
  // CHECK: [[# @LINE + 1]]:3: error: 'llvm_ext.fence': unknown ordering 'all'; expected one of acquire, release, acq_rel, seq_cst
  llvm_ext.fence "all"
  func.return
}
