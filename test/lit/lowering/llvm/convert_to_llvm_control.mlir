// RUN: ocl-opt %s -p convert-to-llvm --split-input-file | filecheck %s

// Branches, calls and switches. Two branches to one block with two values are a select.

func.func @helper(%x: i32) -> i32 {
  func.return %x : i32
}
func.func @control(%c: i1, %x: i32, %y: i32) -> i32 {
  cf.cond_br %c, ^same(%x : i32), ^same(%y : i32)
^same(%z: i32):
  %r = func.call @helper(%z) : (i32) -> i32
  cf.switch %r : i32, [
    default: ^other(%r : i32),
    3: ^other(%y : i32),
    5: ^end
  ]
^other(%o: i32):
  func.return %o : i32
^end:
  ub.unreachable
}

// CHECK-LABEL: llvm.func @helper(%x: i32) -> i32 {
// CHECK-NEXT:    llvm.return %x : i32
// CHECK-NEXT:  }
// CHECK-NEXT:  llvm.func @control(%c: i1, %x_1: i32, %y: i32) -> i32 {
// CHECK-NEXT:    %0 = llvm.select %c, %x_1, %y : i1, i32
// CHECK-NEXT:    llvm.br ^bb1(%0 : i32)
// CHECK-NEXT:  ^bb1(%z: i32):
// CHECK-NEXT:    %r = llvm.call @helper(%z) : (i32) -> i32
// CHECK-NEXT:    %1 = llvm.mlir.constant(3 : i32) : i32
// CHECK-NEXT:    %2 = llvm.icmp "eq" %r, %1 : i32
// CHECK-NEXT:    llvm.cond_br %2, ^bb4(%y : i32), ^bb2
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    %3 = llvm.mlir.constant(5 : i32) : i32
// CHECK-NEXT:    %4 = llvm.icmp "eq" %r, %3 : i32
// CHECK-NEXT:    llvm.cond_br %4, ^bb5, ^bb3
// CHECK-NEXT:  ^bb3:
// CHECK-NEXT:    llvm.br ^bb4(%r : i32)
// CHECK-NEXT:  ^bb4(%o: i32):
// CHECK-NEXT:    llvm.return %o : i32
// CHECK-NEXT:  ^bb5:
// CHECK-NEXT:    llvm.unreachable
// CHECK-NEXT:  }

// Several values are returned as a struct.
// CHECK-LABEL: llvm.func @two
// CHECK-SAME:    -> !llvm.struct<(i32, vector<2xf32>)> {
// CHECK-NEXT:    [[NONE:%.+]] = llvm_ext.mlir.poison
// CHECK-NEXT:    [[ONE:%.+]] = llvm.insertvalue %{{.+}}, [[NONE]][0]
// CHECK-NEXT:    [[TWO:%.+]] = llvm.insertvalue %{{.+}}, [[ONE]][1]
// CHECK-NEXT:    llvm.return [[TWO]] : !llvm.struct<(i32, vector<2xf32>)>
func.func @two(%x: i32, %y: vector<2xf32>) -> (i32, vector<2xf32>) {
  func.return %x, %y : i32, vector<2xf32>
}

// CHECK-LABEL: llvm.func @second
// CHECK-NEXT:    [[BOTH:%.+]] = llvm.call @two
// CHECK-NEXT:    %a = llvm.extractvalue [[BOTH]][0]
// CHECK-NEXT:    %b = llvm.extractvalue [[BOTH]][1]
// CHECK-NEXT:    llvm.return %b : vector<2xf32>
func.func @second(%x: i32, %y: vector<2xf32>) -> vector<2xf32> {
  %a, %b = func.call @two(%x, %y) : (i32, vector<2xf32>) -> (i32, vector<2xf32>)
  func.return %b : vector<2xf32>
}
