// RUN: ocl-opt %s -p carry-pieces | filecheck %s

// A loop carries 48 elements as three vectors of 16, which are put together where it needs them.

llvm.func @loop(%x: vector<48xf32>, %again: i1) -> vector<48xf32> {
  llvm.br ^loop(%x : vector<48xf32>)
^loop(%sum: vector<48xf32>):
  %next = llvm.fadd %sum, %x : vector<48xf32>
  llvm.cond_br %again, ^loop(%next : vector<48xf32>), ^done(%next : vector<48xf32>)
^done(%all: vector<48xf32>):
  llvm.return %all : vector<48xf32>
}

// CHECK-LABEL: llvm.func @loop
// CHECK:         [[A:%.+]] = llvm.shufflevector %x, {{%.+}} {{\[}}0, 1, 2, {{.*}} 15] : vector<48xf32>
// CHECK:         [[B:%.+]] = llvm.shufflevector %x, {{%.+}} {{\[}}16, 17, {{.*}} 31] : vector<48xf32>
// CHECK:         [[C:%.+]] = llvm.shufflevector %x, {{%.+}} {{\[}}32, 33, {{.*}} 47] : vector<48xf32>
// CHECK-NEXT:    llvm.br ^loop([[A]], [[B]], [[C]] : vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-NEXT:  ^loop([[A:%.+]]: vector<16xf32>, [[B:%.+]]: vector<16xf32>, [[C:%.+]]: vector<16xf32>):
// CHECK-NEXT:    [[X:%.+]] = llvm.call_intrinsic "llvm.arithmetic.fence.v16f32"([[A]])
// CHECK-NEXT:    [[Y:%.+]] = llvm.call_intrinsic "llvm.arithmetic.fence.v16f32"([[B]])
// CHECK-NEXT:    [[Z:%.+]] = llvm.call_intrinsic "llvm.arithmetic.fence.v16f32"([[C]])
// CHECK-NEXT:    [[XY:%.+]] = llvm.shufflevector [[X]], [[Y]] {{\[}}0, {{.*}}, 31] : vector<16xf32>
// CHECK:         [[Z0:%.+]] = llvm.shufflevector [[Z]], {{%.+}} {{\[}}0, {{.*}} 15, -1, {{.*}}, -1] : vector<16xf32>
// CHECK-NEXT:    [[SUM:%.+]] = llvm.shufflevector [[XY]], [[Z0]] {{\[}}0, {{.*}}, 47] : vector<32xf32>
// CHECK-NEXT:    llvm.fadd [[SUM]], %x : vector<48xf32>
// CHECK:         llvm.cond_br %again, ^loop({{.*}} : vector<16xf32>, vector<16xf32>, vector<16xf32>), ^done({{.*}})

// Pieces of 3 elements would not fill registers: there is one of 4. What is before a fence are floats.

llvm.func @three(%three: vector<3xi32>, %doubles: vector<3xf64>) -> vector<3xi32> {
  llvm.br ^end(%three, %doubles : vector<3xi32>, vector<3xf64>)
^end(%z: vector<3xi32>, %w: vector<3xf64>):
  llvm.return %z : vector<3xi32>
}

// CHECK-LABEL: llvm.func @three
// CHECK:         [[X:%.+]] = llvm.shufflevector %three, %three {{\[}}0, 1, 2, -1] : vector<3xi32>
// CHECK:         llvm.br ^end([[X]], {{%.+}} : vector<4xi32>, vector<4xf64>)
// CHECK-NEXT:  ^end([[Z:%.+]]: vector<4xi32>, %{{.+}}: vector<4xf64>):
// CHECK:         [[FLOATS:%.+]] = llvm.bitcast [[Z]] : vector<4xi32> to vector<4xf32>
// CHECK-NEXT:    [[FENCED:%.+]] = llvm.call_intrinsic "llvm.arithmetic.fence.v4f32"([[FLOATS]])
// CHECK-NEXT:    [[WIDE:%.+]] = llvm.bitcast [[FENCED]] : vector<4xf32> to vector<4xi32>
// CHECK:         [[NARROW:%.+]] = llvm.shufflevector [[WIDE]], {{%.+}} {{\[}}0, 1, 2] : vector<4xi32>
// CHECK-NEXT:    llvm.return [[NARROW]] : vector<3xi32>

// Vectors that fill registers, masks, and less than 64 bits go as they are.

llvm.func @kept(%full: vector<16xf32>, %mask: vector<96xi1>, %bytes: vector<3xi8>) {
  llvm.br ^end(%full, %mask, %bytes : vector<16xf32>, vector<96xi1>, vector<3xi8>)
^end(%y: vector<16xf32>, %z: vector<96xi1>, %w: vector<3xi8>):
  llvm.return
}

// CHECK-LABEL: llvm.func @kept
// CHECK-NEXT:    llvm.br ^[[END:.+]](%full, %mask, %bytes : vector<16xf32>, vector<96xi1>, vector<3xi8>)
// CHECK-NEXT:  ^[[END]]({{.+}}: vector<16xf32>, {{.+}}: vector<96xi1>, {{.+}}: vector<3xi8>):
// CHECK-NEXT:    llvm.return
