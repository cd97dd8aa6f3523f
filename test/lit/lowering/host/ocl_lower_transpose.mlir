// RUN: ocl-opt %s -p ocl-lower-transpose | filecheck %s
// RUN: ocl-opt %s -p 'ocl-lower-transpose{tiles=false}' | filecheck %s --check-prefix=COLUMNS

// One kernel for each type of elements. A work-item loads the rows of a tile, exchanges their
// elements in four steps, and stores the columns; tiles at the ends are moved one by one.
// CHECK:      ocl.kernel @transpose_1(%from: !ocl.ptr<i32, global>
// CHECK:      ocl.kernel @transpose(%from: !ocl.ptr<f32, global> {ocl.name = "from", ocl.const}, %to: !ocl.ptr<f32, global> {ocl.name = "to"}, %rows: i64 {ocl.name = "rows"}, %columns: i64 {ocl.name = "columns"}) {
// CHECK:        %x = ocl.global_id 0 : index
// CHECK:        scf.if %inside {
// CHECK:          %from15 = ocl.offset %from[%source15] : !ocl.ptr<f32, global>
// CHECK-NEXT:     [[ROW15:%.*]] = ocl.vload %from15[%zero] : !ocl.ptr<f32, global> -> vector<16xf32>
// CHECK-NEXT:     [[V0:%.*]] = vector.shuffle {{%.*}}, {{%.*}} [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23] : vector<16xf32>, vector<16xf32>
// CHECK-NEXT:     [[V8:%.*]] = vector.shuffle {{%.*}}, {{%.*}} [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31] : vector<16xf32>, vector<16xf32>
// CHECK:          %v1_15 = vector.shuffle %v2_13, %v2_15 [1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31] : vector<16xf32>, vector<16xf32>
// CHECK-NEXT:     %column0 = arith.addi %left, %k0 : index
// CHECK:          %to15 = ocl.offset %to[%target15] : !ocl.ptr<f32, global>
// CHECK-NEXT:     ocl.vstore %v1_15, %to15[%zero] : vector<16xf32>, !ocl.ptr<f32, global>
// CHECK-NEXT:   } else {
// CHECK:          scf.for %j = %left to %behind step %one {
// CHECK:            scf.for %i = %top to %end step %one {

// On a GPU, a work-item moves 16 rows of a column.
// COLUMNS:      ocl.kernel @transpose(
// COLUMNS:        %j = ocl.global_id 0 : index
// COLUMNS-NEXT:   %number = ocl.global_id 1 : index
// COLUMNS-NEXT:   %first = arith.muli %number, %tile : index
// COLUMNS-NEXT:   %behind = arith.addi %first, %tile : index
// COLUMNS-NEXT:   %end = arith.minui %behind, %r : index
// COLUMNS-NEXT:   %inside = arith.cmpi ult, %j, %c : index
// COLUMNS-NEXT:   scf.if %inside {
// COLUMNS-NEXT:     %column = arith.muli %j, %r : index
// COLUMNS-NEXT:     scf.for %i = %first to %end step %one {
// COLUMNS-NEXT:       %row = arith.muli %i, %c : index
// COLUMNS-NEXT:       %source = arith.addi %row, %j : index
// COLUMNS-NEXT:       %v = ocl.load %from[%source] : !ocl.ptr<f32, global>
// COLUMNS-NEXT:       %target = arith.addi %column, %i : index
// COLUMNS-NEXT:       ocl.store %v, %to[%target] : !ocl.ptr<f32, global>

// CHECK-LABEL: func.func @device
func.func @device(%d: !host.buffer<f32>, %e: !host.buffer<i32>, %r: index, %c: index) {
  // CHECK-NEXT: [[N:%.*]] = arith.muli %r, %c : index
  // CHECK-NEXT: %t = host.buffer [[N]] : !host.buffer<f32>
  // CHECK-NEXT: [[R:%.*]] = arith.index_cast %r : index to i64
  // CHECK-NEXT: [[C:%.*]] = arith.index_cast %c : index to i64
  // CHECK-NEXT: [[TILE:%.*]] = arith.constant 16 : index
  // CHECK-NEXT: [[X:%.*]] = arith.ceildivui %c, [[TILE]] : index
  // CHECK-NEXT: [[Y:%.*]] = arith.ceildivui %r, [[TILE]] : index
  // CHECK-NEXT: host.launch @transpose global [[[X]], [[Y]]] (%d, %t, [[R]], [[C]])
  // COLUMNS: host.launch @transpose global [{{%.*}}, {{%.*}}] local [{{%.*}}, {{%.*}}] (%d, %t,
  %t = host.transpose %d rows %r columns %c : !host.buffer<f32>
  // CHECK: host.launch @transpose global [{{.*}}] (%t, %u,
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
