// RUN: ocl-opt %s -p "convert-to-llvm{converts=true}" --split-input-file | filecheck %s
// RUN: ocl-opt %s -p convert-to-llvm --split-input-file | filecheck %s --check-prefix=LANES

// A division of 64-bit integers is a product with an inverse that is a little too small. It leaves
// up to 2^15 times the divisor, of which a second product leaves less than twice the divisor.
func.func @rest(%a: vector<8xi64>, %b: vector<8xi64>) -> vector<8xi64> {
  %r = arith.remui %a, %b : vector<8xi64>
  func.return %r : vector<8xi64>
}

// CHECK-LABEL: llvm.func @rest(
// CHECK:         %[[B:.*]] = llvm_ext.select
// CHECK:         %[[Y:.*]] = llvm_ext.uitofp %[[B]] : vector<8xi64> to vector<8xf64>
// CHECK-NEXT:    %[[EXACT:.*]] = llvm.fdiv %{{.*}}, %[[Y]] : vector<8xf64>
// CHECK:         %[[INVERSE:.*]] = llvm.fmul %[[EXACT]], %{{.*}} : vector<8xf64>
// CHECK-NEXT:    %[[X:.*]] = llvm_ext.uitofp %a : vector<8xi64> to vector<8xf64>
// CHECK-NEXT:    %[[PRODUCT:.*]] = llvm.fmul %[[X]], %[[INVERSE]] : vector<8xf64>
// CHECK-NEXT:    %[[Q:.*]] = llvm_ext.fptoui %[[PRODUCT]] : vector<8xf64> to vector<8xi64>
// CHECK-NEXT:    %[[BACK:.*]] = llvm.mul %[[Q]], %[[B]] : vector<8xi64>
// CHECK-NEXT:    %[[LEFT:.*]] = llvm.sub %a, %[[BACK]] : vector<8xi64>
// CHECK-NEXT:    llvm_ext.uitofp %[[LEFT]]
// CHECK:         %[[LAST:.*]] = llvm.sub %{{.*}}, %{{.*}} : vector<8xi64>
// CHECK:         %[[LESS:.*]] = llvm.sub %[[LAST]], %[[B]] : vector<8xi64>
// CHECK-NEXT:    %r = llvm.call_intrinsic "llvm.umin.v8i64"(%[[LAST]], %[[LESS]])
// LANES-LABEL: llvm.func @rest(
// LANES:         llvm.urem

// -----

// A constant that is larger than 28,672 needs one product.
func.func @by_large_constant(%a: vector<8xi64>) -> vector<8xi64> {
  %c = arith.constant 1000000007 : i64
  %b = vector.broadcast %c : i64 to vector<8xi64>
  %q = arith.divui %a, %b : vector<8xi64>
  func.return %q : vector<8xi64>
}

// CHECK-LABEL: llvm.func @by_large_constant(
// CHECK-COUNT-1: llvm_ext.fptoui
// CHECK-NOT:     llvm_ext.fptoui
// LANES-LABEL: llvm.func @by_large_constant(
// LANES:         llvm.udiv

// -----

// LLVM shifts by powers of two, and two lanes are divided one after the other.
func.func @by_power(%a: vector<8xi64>) -> vector<8xi64> {
  %c = arith.constant 4096 : i64
  %b = vector.broadcast %c : i64 to vector<8xi64>
  %q = arith.divsi %a, %b : vector<8xi64>
  func.return %q : vector<8xi64>
}
func.func @pair(%a: vector<2xi64>, %b: vector<2xi64>) -> vector<2xi64> {
  %q = arith.divui %a, %b : vector<2xi64>
  func.return %q : vector<2xi64>
}

// CHECK-LABEL: llvm.func @by_power(
// CHECK:         llvm.sdiv
// CHECK-LABEL: llvm.func @pair(
// CHECK:         llvm.udiv
