// RUN: ocl-opt %s -p carry-masks | filecheck %s

// A mask that a loop carries comes as integers with a lane each, all bits of which are set. A
// comparison is behind a fence: LLVM would see that the integers are a mask, and carry that again.

llvm.func @loop(%x: vector<16xf32>, %most: vector<16xf32>) -> vector<16xf32> {
  %all = llvm.mlir.constant(dense<true> : vector<16xi1>) : vector<16xi1>
  %none = llvm.mlir.constant(dense<false> : vector<16xi1>) : vector<16xi1>
  llvm.br ^loop(%all, %x : vector<16xi1>, vector<16xf32>)
^loop(%mask: vector<16xi1>, %y: vector<16xf32>):
  %z = llvm.fadd %y, %most : vector<16xf32>
  %next = llvm_ext.select %mask, %z, %y : vector<16xi1>, vector<16xf32>
  %less = llvm_ext.fcmp "olt" %z, %most : vector<16xf32> -> vector<16xi1>
  %more = llvm_ext.select %mask, %less, %none : vector<16xi1>, vector<16xi1>
  %any = llvm.call_intrinsic "llvm.vector.reduce.or.v16i1"(%more) : (vector<16xi1>) -> i1
  llvm.cond_br %any, ^loop(%more, %next : vector<16xi1>, vector<16xf32>), ^done
^done:
  llvm.return %next : vector<16xf32>
}

// CHECK-LABEL: llvm.func @loop
// CHECK:         [[ALL:%.+]] = llvm.sext %all : vector<16xi1> to vector<16xi32>
// CHECK:         llvm.br ^loop([[ALL]], %x : vector<16xi32>, vector<16xf32>)
// CHECK-NEXT:  ^loop(%mask: vector<16xi32>, %y: vector<16xf32>):
// CHECK-NEXT:    [[ZEROS:%.+]] = llvm.mlir.constant(dense<0> : vector<16xi32>)
// CHECK-NEXT:    [[MASK:%.+]] = llvm.icmp "slt" %mask, [[ZEROS]] : vector<16xi32>
// CHECK-NEXT:    %z = llvm.fadd %y, %most
// CHECK-NEXT:    %next = llvm_ext.select [[MASK]], %z, %y
// CHECK-NEXT:    %less = llvm_ext.fcmp "olt" %z, %most
// CHECK-NEXT:    %more = llvm_ext.select [[MASK]], %less, %none
// CHECK-NEXT:    [[WIDE:%.+]] = llvm.sext %less : vector<16xi1> to vector<16xi32>
// CHECK-NEXT:    [[FLOATS:%.+]] = llvm.bitcast [[WIDE]] : vector<16xi32> to vector<16xf32>
// CHECK-NEXT:    [[FENCED:%.+]] = llvm.call_intrinsic "llvm.arithmetic.fence.v16f32"([[FLOATS]])
// CHECK-NEXT:    [[LESS:%.+]] = llvm.bitcast [[FENCED]] : vector<16xf32> to vector<16xi32>
// CHECK-NEXT:    [[MORE:%.+]] = llvm.and %mask, [[LESS]] : vector<16xi32>
// CHECK-NEXT:    [[ZEROS:%.+]] = llvm.mlir.constant(dense<0> : vector<16xi32>)
// CHECK-NEXT:    [[NARROW:%.+]] = llvm.icmp "slt" [[MORE]], [[ZEROS]]
// CHECK-NEXT:    %any = llvm.call_intrinsic "llvm.vector.reduce.or.v16i1"([[NARROW]])
// CHECK-NEXT:    llvm.cond_br %any, ^loop([[MORE]], %next : vector<16xi32>, vector<16xf32>), ^done

// Few lanes stand for wide values, many for narrow ones. One number for all lanes becomes wide
// before it is spread. A mask of three lanes stays one, as it fills no register.

llvm.func @widths(%c: i1, %bytes: vector<64xi1>, %three: vector<3xi1>) {
  %poison = llvm_ext.mlir.poison : vector<4xi1>
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %first = llvm.insertelement %c, %poison[%c0 : i64] : vector<4xi1>
  %same = llvm.shufflevector %first, %poison [0, 0, 0, 0] : vector<4xi1>
  llvm.br ^end(%same, %bytes, %three : vector<4xi1>, vector<64xi1>, vector<3xi1>)
^end(%x: vector<4xi1>, %y: vector<64xi1>, %z: vector<3xi1>):
  llvm.return
}

// CHECK-LABEL: llvm.func @widths
// CHECK:         [[LANE:%.+]] = llvm.sext %c : i1 to i64
// CHECK-NEXT:    [[ZERO:%.+]] = llvm.mlir.constant(0) : i64
// CHECK-NEXT:    [[FIRST:%.+]] = llvm.insertelement [[LANE]], {{%.+}}{{\[}}[[ZERO]] : i64{{\]}} : vector<4xi64>
// CHECK-NEXT:    llvm.shufflevector [[FIRST]], {{%.+}} [0, 0, 0, 0] : vector<4xi64>
// CHECK:       ^end(%x_1: vector<4xi64>, %y_1: vector<64xi8>, %z_1: vector<3xi1>):

// Bytes are compared in fewer registers than the integers take, which are made for the branch alone.

llvm.func @bytes(%x: vector<16xi8>, %y: vector<16xi8>) {
  %less = llvm.icmp "slt" %x, %y : vector<16xi8>
  %none = llvm.mlir.constant(dense<false> : vector<16xi1>) : vector<16xi1>
  %both = llvm_ext.select %less, %less, %none : vector<16xi1>, vector<16xi1>
  llvm.br ^end(%both : vector<16xi1>)
^end(%z: vector<16xi1>):
  llvm.return
}

// CHECK-LABEL: llvm.func @bytes
// CHECK:         [[BOTH:%both.*]] = llvm_ext.select
// CHECK-NEXT:    [[WIDE:%.+]] = llvm.sext [[BOTH]] : vector<16xi1> to vector<16xi32>
// CHECK-NEXT:    llvm.br {{.+}}([[WIDE]] : vector<16xi32>)
