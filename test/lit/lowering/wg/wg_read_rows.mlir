// RUN: ocl-opt %s -p 'wg-read-rows{distinct=true}' | filecheck %s
// RUN: ocl-opt %s -p 'wg-read-rows{distinct=true}' --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Each work-item sums a row of its own. Four elements are read at once, and added one after the
// other; what is left of the row is read as before.
// REMARK: wg_read_rows.mlir:[[# @LINE + 8]]:5: remark: rows of several elements at once [wg-read-rows]
wg.func @sum(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %m: i32 {ocl.name = "m"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %n = arith.index_cast %m : i32 to index
  %start = arith.constant 0.0 : f32
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %s = scf.for %k = %zero to %n step %one iter_args(%p = %start) -> (f32) {
      %row = arith.muli %x, %n : index
      %i = arith.addi %row, %k : index
      %v = ocl.load %a[%i] : !ocl.ptr<f32, global>
      %q = arith.addf %p, %v : f32
      scf.yield %q : f32
    }
    ocl.store %s, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @sum
// CHECK:         [[LAST:%.*]] = arith.maxsi %n, %zero : index
// CHECK-NEXT:    [[COUNT:%.*]] = arith.subi [[LAST]], %zero : index
// CHECK-NEXT:    [[THREE:%.*]] = arith.constant 3 : index
// CHECK-NEXT:    [[REST:%.*]] = arith.andi [[COUNT]], [[THREE]] : index
// CHECK-NEXT:    [[END:%.*]] = arith.subi [[LAST]], [[REST]] : index
// CHECK:         [[FOUR:%.*]] = arith.constant 4 : index
// CHECK-NEXT:    [[ROWS:%.*]] = scf.for %k = %zero to [[END]] step [[FOUR]] iter_args({{.*}} = %start) -> (f32) {
// CHECK:           [[PLACE:%.*]] = ocl.offset %a[{{.*}}] : !ocl.ptr<f32, global>
// CHECK:           [[FOUND:%.*]] = ocl.vload [[PLACE]][{{.*}}] : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:      vector.extract [[FOUND]][0] : f32 from vector<4xf32>
// CHECK:           vector.extract [[FOUND]][3] : f32 from vector<4xf32>
// CHECK-NOT:       ocl.load
// CHECK:         }
// CHECK:         scf.for {{.*}} = [[END]] to %n step %one iter_args({{.*}} = [[ROWS]]) -> (f32) {
// CHECK:           ocl.load %a
// CHECK:         }

// A row that is read from its end: the first element of an iteration is the last one that is loaded.
wg.func @down(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %m: i32 {ocl.name = "m"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %n = arith.index_cast %m : i32 to index
  %start = arith.constant 0.0 : f32
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %s = scf.for %k = %zero to %n step %one iter_args(%p = %start) -> (f32) {
      %row = arith.muli %x, %n : index
      %i = arith.subi %row, %k : index
      %v = ocl.load %a[%i] : !ocl.ptr<f32, global>
      %q = arith.addf %p, %v : f32
      scf.yield %q : f32
    }
    ocl.store %s, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @down
// CHECK:           [[LAST:%.*]] = ocl.offset %a[{{.*}}] : !ocl.ptr<f32, global>
// CHECK-NEXT:      [[BACK:%.*]] = arith.constant -3 : index
// CHECK-NEXT:      [[PLACE:%.*]] = ocl.offset [[LAST]][[[BACK]]] : !ocl.ptr<f32, global>
// CHECK:           [[FOUND:%.*]] = ocl.vload [[PLACE]][{{.*}}] : !ocl.ptr<f32, global> -> vector<4xf32>
// CHECK-NEXT:      vector.extract [[FOUND]][3] : f32 from vector<4xf32>
// CHECK:           vector.extract [[FOUND]][0] : f32 from vector<4xf32>

// What is written is kept until four elements are there.
wg.func @exponentials(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %m: i32 {ocl.name = "m"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %n = arith.index_cast %m : i32 to index
  %start = arith.constant 0.0 : f32
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %row = arith.muli %x, %n : index
    %sum = scf.for %k = %zero to %n step %one iter_args(%p = %start) -> (f32) {
      %i = arith.addi %row, %k : index
      %v = ocl.load %a[%i] : !ocl.ptr<f32, global>
      %w = math.exp %v : f32
      ocl.store %w, %out[%i] : !ocl.ptr<f32, global>
      %q = arith.addf %p, %w : f32
      scf.yield %q : f32
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @exponentials
// CHECK:         ocl.vload
// CHECK-NOT:     ocl.store
// CHECK:         vector.broadcast {{.*}} : f32 to vector<4xf32>
// CHECK:         ocl.vstore {{.*}} : vector<4xf32>, !ocl.ptr<f32, global>

// The next element is written before it is read: each iteration needs the one before.
wg.func @next(%m: i32 {ocl.name = "m"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %n = arith.index_cast %m : i32 to index
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %row = arith.muli %x, %n : index
    scf.for %k = %zero to %n step %one {
      %i = arith.addi %row, %k : index
      %j = arith.addi %i, %one : index
      %v = ocl.load %out[%i] : !ocl.ptr<f32, global>
      ocl.store %v, %out[%j] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// CHECK-LABEL: wg.func @next
// CHECK-NOT:     ocl.vload
// CHECK:         wg.return

// Neighbouring work-items read neighbouring elements: the loop goes down a column.
wg.func @columns(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %m: i32 {ocl.name = "m"}, %out: !ocl.ptr<f32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %n = arith.index_cast %m : i32 to index
  %start = arith.constant 0.0 : f32
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %s = scf.for %k = %zero to %n step %one iter_args(%p = %start) -> (f32) {
      %i = arith.addi %x, %k : index
      %v = ocl.load %a[%i] : !ocl.ptr<f32, global>
      %q = arith.addf %p, %v : f32
      scf.yield %q : f32
    }
    ocl.store %s, %out[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @columns
// CHECK-NOT:     ocl.vload
// CHECK:         wg.return

// One work-item alone counts in an array: there are no vectors, which would share what rows save.
wg.func @counts(%a: !ocl.ptr<i8, global> {ocl.name = "a"}, %m: i32 {ocl.name = "m"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %n = arith.index_cast %m : i32 to index
  %start = arith.constant 0 : i32
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %row = arith.muli %x, %n : index
    %sum = scf.for %k = %zero to %n step %one iter_args(%p = %start) -> (i32) {
      %i = arith.addi %row, %k : index
      %v = ocl.load %a[%i] : !ocl.ptr<i8, global>
      %w = arith.extui %v : i8 to i32
      %j = arith.index_cast %w : i32 to index
      %c = ocl.load %out[%j] : !ocl.ptr<i32, global>
      %t = arith.index_cast %c : i32 to index
      %d = ocl.load %out[%t] : !ocl.ptr<i32, global>
      %q = arith.xori %p, %d : i32
      scf.yield %q : i32
    }
    ocl.store %sum, %out[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @counts
// CHECK-NOT:     ocl.vload
// CHECK:         wg.return

// Sums of integers, of all elements or some, are vectors of iterations, which LLVM makes.
wg.func @some(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %b: !ocl.ptr<i32, global> {ocl.name = "b"}, %m: i32 {ocl.name = "m"}, %out: !ocl.ptr<i32, global> {ocl.name = "out"}) attributes {local_size = array<i64: 64, 1, 1>} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %lx = arith.constant 64 : index
  %n = arith.index_cast %m : i32 to index
  %start = arith.constant 0 : i32
  wg.parallel (%x, %y, %z) in (%lx, %one, %one) {
    %row = arith.muli %x, %n : index
    %sum = scf.for %k = %zero to %n step %one iter_args(%p = %start) -> (i32) {
      %i = arith.addi %row, %k : index
      %v = ocl.load %a[%i] : !ocl.ptr<i32, global>
      %w = ocl.load %b[%i] : !ocl.ptr<i32, global>
      %c = arith.cmpi sgt, %w, %start : i32
      %q = arith.addi %p, %v : i32
      %r = arith.select %c, %q, %p : i32
      scf.yield %r : i32
    }
    ocl.store %sum, %out[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// CHECK-LABEL: wg.func @some
// CHECK-NOT:     ocl.vload
// CHECK:         wg.return
