// RUN: ocl-opt %s -p wg-roll-elements --split-input-file | filecheck %s

// A row of short2 times another one: the same row of twice as many shorts.
wg.func @dot(%a: !ocl.ptr<vector<2xi16>, global> {ocl.name = "a"}, %b: !ocl.ptr<vector<2xi16>, global> {ocl.name = "b"}, %c: !ocl.ptr<i32, global> {ocl.name = "c"}, %n32: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %n = arith.index_cast %n32 : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %start = arith.muli %x, %n : index
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
      %i = arith.addi %start, %k : index
      %u = ocl.load %a[%i] : !ocl.ptr<vector<2xi16>, global>
      %v = ocl.load %b[%k] : !ocl.ptr<vector<2xi16>, global>
      %u32 = vec.extsi %u : vector<2xi16> to vector<2xi32>
      %v32 = vec.extsi %v : vector<2xi16> to vector<2xi32>
      %p = arith.muli %u32, %v32 : vector<2xi32>
      %p0 = vector.extract %p[0] : i32 from vector<2xi32>
      %p1 = vector.extract %p[1] : i32 from vector<2xi32>
      %q = arith.addi %p0, %p1 : i32
      %t = arith.addi %s, %q : i32
      scf.yield %t : i32
    }
    ocl.store %sum, %c[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}
// CHECK-LABEL: wg.func @dot
// CHECK:         [[FIRST:%.*]] = ocl.offset %a[{{%.*}}] : !ocl.ptr<vector<2xi16>, global>
// CHECK-NEXT:    [[ROW:%.*]] = ocl.cast [[FIRST]] : !ocl.ptr<vector<2xi16>, global> to !ocl.ptr<i16, global>
// CHECK:         [[END:%.*]] = arith.muli %n, {{%.*}} : index
// CHECK:         scf.for %k = {{%.*}} to [[END]] step %c1 iter_args(%s = %zero) -> (i32) {
// CHECK-NEXT:      %u = ocl.load [[ROW]][%k] : !ocl.ptr<i16, global>
// CHECK-NEXT:      %v = ocl.load {{%.*}}[%k] : !ocl.ptr<i16, global>
// CHECK-NEXT:      [[U:%.*]] = arith.extsi %u : i16 to i32
// CHECK-NEXT:      [[V:%.*]] = arith.extsi %v : i16 to i32
// CHECK-NEXT:      [[P:%.*]] = arith.muli [[U]], [[V]] : i32
// CHECK-NEXT:      [[T:%.*]] = arith.addi %s, [[P]] : i32
// CHECK-NEXT:      scf.yield [[T]] : i32

// -----

// The elements do not add the same.
wg.func @weighted(%a: !ocl.ptr<vector<2xi32>, global> {ocl.name = "a"}, %c: !ocl.ptr<i32, global> {ocl.name = "c"}, %n32: i32 {ocl.name = "n"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %n = arith.index_cast %n32 : i32 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  wg.parallel (%x, %y, %z) in (%c64, %c1, %c1) {
    %start = arith.muli %x, %n : index
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
      %i = arith.addi %start, %k : index
      %u = ocl.load %a[%i] : !ocl.ptr<vector<2xi32>, global>
      %u0 = vector.extract %u[0] : i32 from vector<2xi32>
      %u1 = vector.extract %u[1] : i32 from vector<2xi32>
      %w1 = arith.muli %u1, %three : i32
      %q = arith.addi %u0, %w1 : i32
      %t = arith.addi %s, %q : i32
      scf.yield %t : i32
    }
    ocl.store %sum, %c[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}
// CHECK-LABEL: wg.func @weighted
// CHECK:         ocl.load %a[%i] : !ocl.ptr<vector<2xi32>, global>
