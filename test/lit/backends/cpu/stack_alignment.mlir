// RUN: ocl-opt %s -p convert-to-llvm -t llvm-ir | filecheck %s

// Registers that LLVM writes to the stack lie in one line of the cache each, where some are wider
// than the alignment that callers keep: vectors of more than 128 bits. Masks have few bits.

func.func @floats(%x: vector<16xf32>) {
  func.return
}
func.func @addresses(%x: vector<4xi64>) {
  func.return
}
func.func @short(%x: vector<4xf32>, %mask: vector<64xi1>) {
  func.return
}

// CHECK:      define void @"floats"({{.*}}) nounwind alignstack(64)
// CHECK:      define void @"addresses"({{.*}}) nounwind alignstack(64)
// CHECK:      define void @"short"({{.*}}) nounwind
// CHECK-NOT:  alignstack
