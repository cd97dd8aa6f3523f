// RUN: ocl-opt %s -p ocl-lower-transpose | filecheck %s

// One kernel for each type of elements.
// CHECK:      ocl.kernel @transpose_1(%from: !ocl.ptr<i32, global>
// CHECK:      ocl.kernel @transpose(%from: !ocl.ptr<f32, global> {ocl.name = "from", ocl.const}, %to: !ocl.ptr<f32, global> {ocl.name = "to"}, %rows: i64 {ocl.name = "rows"}, %columns: i64 {ocl.name = "columns"}) {
// CHECK:        %j = ocl.global_id 0 : index
// CHECK-NEXT:   %number = ocl.global_id 1 : index
// CHECK-NEXT:   %first = arith.muli %number, %tile : index
// CHECK-NEXT:   %behind = arith.addi %first, %tile : index
// CHECK-NEXT:   %end = arith.minui %behind, %r : index
// CHECK-NEXT:   %inside = arith.cmpi ult, %j, %c : index
// CHECK-NEXT:   scf.if %inside {
// CHECK-NEXT:     %column = arith.muli %j, %r : index
// CHECK-NEXT:     scf.for %i = %first to %end step %one {
// CHECK-NEXT:       %row = arith.muli %i, %c : index
// CHECK-NEXT:       %source = arith.addi %row, %j : index
// CHECK-NEXT:       %v = ocl.load %from[%source] : !ocl.ptr<f32, global>
// CHECK-NEXT:       %target = arith.addi %column, %i : index
// CHECK-NEXT:       ocl.store %v, %to[%target] : !ocl.ptr<f32, global>

// CHECK-LABEL: func.func @device
func.func @device(%d: !host.buffer<f32>, %e: !host.buffer<i32>, %r: index, %c: index) {
  // CHECK-NEXT: [[N:%.*]] = arith.muli %r, %c : index
  // CHECK-NEXT: %t = host.buffer [[N]] : !host.buffer<f32>
  // CHECK-NEXT: [[R:%.*]] = arith.index_cast %r : index to i64
  // CHECK-NEXT: [[C:%.*]] = arith.index_cast %c : index to i64
  // CHECK-NEXT: [[TILE:%.*]] = arith.constant 16 : index
  // CHECK-NEXT: [[ONE:%.*]] = arith.constant 1 : index
  // CHECK-NEXT: [[COLUMNS:%.*]] = arith.ceildivui %c, [[TILE]] : index
  // CHECK-NEXT: [[Y:%.*]] = arith.ceildivui %r, [[TILE]] : index
  // CHECK-NEXT: [[X:%.*]] = arith.muli [[COLUMNS]], [[TILE]] : index
  // CHECK-NEXT: host.launch @transpose global [[[X]], [[Y]]] local [[[TILE]], [[ONE]]] (%d, %t, [[R]], [[C]])
  %t = host.transpose %d rows %r columns %c : !host.buffer<f32>
  // CHECK: host.launch @transpose global [{{.*}}] local [{{.*}}] (%t, %u,
  %u = host.transpose %t rows %c columns %r : !host.buffer<f32>
  // CHECK: host.launch @transpose_1
  %v = host.transpose %e rows %c columns %r : !host.buffer<i32>
  func.return
}

// CHECK-LABEL: func.func @host
func.func @host(%h: memref<64xf32>, %r: index, %c: index) -> f32 {
  // CHECK:      [[A:%.*]] = memref.alloc({{%.*}}) : memref<?xf32>
  // CHECK-NEXT: scf.for [[FIRST:%.*]] = {{%.*}} to %r step {{%.*}} {
  // CHECK-NEXT:   [[BEHIND:%.*]] = arith.addi [[FIRST]], {{%.*}} : index
  // CHECK-NEXT:   [[END:%.*]] = arith.minui [[BEHIND]], %r : index
  // CHECK-NEXT:   scf.for [[J:%.*]] = {{%.*}} to %c
  // CHECK-NEXT:   scf.for [[I:%.*]] = [[FIRST]] to [[END]]
  // CHECK-NEXT:     [[ROW:%.*]] = arith.muli [[I]], %c : index
  // CHECK-NEXT:     [[S:%.*]] = arith.addi [[ROW]], [[J]] : index
  // CHECK-NEXT:     [[V:%.*]] = memref.load %h[[[S]]] : memref<64xf32>
  // CHECK-NEXT:     [[COLUMN:%.*]] = arith.muli [[J]], %r : index
  // CHECK-NEXT:     [[T:%.*]] = arith.addi [[COLUMN]], [[I]] : index
  // CHECK-NEXT:     memref.store [[V]], [[A]][[[T]]] : memref<?xf32>
  // CHECK:      %t = "memref.cast"([[A]]) : (memref<?xf32>) -> memref<64xf32>
  %t = host.transpose %h rows %r columns %c : memref<64xf32>
  %v = memref.load %t[%r] : memref<64xf32>
  func.return %v : f32
}
