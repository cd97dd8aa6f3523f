// RUN: ocl-opt %s -p wg-vectorize --remarks 2>&1 >/dev/null | filecheck %s

// What the pass chooses, and what it refuses, it tells in remarks. Vectors have 512 bits of the
// widest type that is read or written, or of the one in which most is computed.
wg.func @floats(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
  %n = arith.constant 64 : index
  %one = arith.constant 1 : index
  // CHECK: wg_vectorize_choice.mlir:[[# @LINE + 1]]:3: remark: vectorised along x for 16 work-items [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    %w = arith.negf %v : f32
    ocl.store %w, %a[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

wg.func @doubles(%a: !ocl.ptr<f64, global> {ocl.name = "a"}) {
  %n = arith.constant 64 : index
  %one = arith.constant 1 : index
  // CHECK: wg_vectorize_choice.mlir:[[# @LINE + 1]]:3: remark: vectorised along x for 8 work-items [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<f64, global>
    %w = arith.negf %v : f64
    ocl.store %w, %a[%x] : !ocl.ptr<f64, global>
  }
  wg.return
}

// Most of what is computed has 64 bits: products of long numbers, say.
wg.func @long_products(%a: !ocl.ptr<i32, global> {ocl.name = "a"}) {
  %n = arith.constant 64 : index
  %one = arith.constant 1 : index
  // CHECK: wg_vectorize_choice.mlir:[[# @LINE + 1]]:3: remark: vectorised along x for 8 work-items [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<i32, global>
    %w = arith.extui %v : i32 to i64
    %square = arith.muli %w, %w : i64
    %carry = arith.shrui %square, %w : i64
    %low = arith.trunci %carry : i64 to i32
    ocl.store %low, %a[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// Sums of ids are known for all lanes at once, however long they are.
wg.func @long_ids(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %start: i64 {ocl.name = "start"}) {
  %n = arith.constant 64 : index
  %one = arith.constant 1 : index
  // CHECK: wg_vectorize_choice.mlir:[[# @LINE + 1]]:3: remark: vectorised along x for 16 work-items [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %id = arith.index_cast %x : index to i64
    %sum = arith.addi %start, %id : i64
    %i = arith.index_cast %sum : i64 to index
    %v = ocl.load %a[%i] : !ocl.ptr<i32, global>
    ocl.store %v, %a[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// Small groups have small vectors: 4 work-items do not need 16 lanes.
wg.func @small(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
  %n = arith.constant 4 : index
  %one = arith.constant 1 : index
  // CHECK: wg_vectorize_choice.mlir:[[# @LINE + 1]]:3: remark: vectorised along x for 4 work-items [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    %w = arith.negf %v : f32
    ocl.store %w, %a[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// Neighbours along y access neighbours in memory, those along x do not.
wg.func @columns(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
  %n = arith.constant 16 : index
  %one = arith.constant 1 : index
  // CHECK: wg_vectorize_choice.mlir:[[# @LINE + 1]]:3: remark: vectorised along y for 16 work-items [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%n, %n, %one) {
    %row = arith.muli %x, %n : index
    %i = arith.addi %row, %y : index
    %v = ocl.load %a[%i] : !ocl.ptr<f32, global>
    %w = arith.negf %v : f32
    ocl.store %w, %a[%i] : !ocl.ptr<f32, global>
  }
  wg.return
}

wg.func @one_work_item(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
  %one = arith.constant 1 : index
  // CHECK: wg_vectorize_choice.mlir:[[# @LINE + 1]]:3: remark: not vectorised: no dimension has several work-items [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%one, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    ocl.store %v, %a[%one] : !ocl.ptr<f32, global>
  }
  wg.return
}

// The size is not constant, and the function does not say what it is at most.
wg.func @unknown_size(%a: !ocl.ptr<f32, global> {ocl.name = "a"}) {
  %one = arith.constant 1 : index
  %n = ocl.local_size 0 : index
  // CHECK: wg_vectorize_choice.mlir:[[# @LINE + 1]]:3: remark: not vectorised: no dimension has several work-items [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %v = ocl.load %a[%x] : !ocl.ptr<f32, global>
    ocl.store %v, %a[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// A byte here and there: gathers of bytes are slow, and there is little else to do.
wg.func @bytes(%at: !ocl.ptr<i32, global> {ocl.name = "at"}, %a: !ocl.ptr<i8, global> {ocl.name = "a"}) {
  %n = arith.constant 64 : index
  %one = arith.constant 1 : index
  // CHECK: wg_vectorize_choice.mlir:[[# @LINE + 1]]:3: remark: not vectorised: accesses all over memory cost more than vectors save [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %j = ocl.load %at[%x] : !ocl.ptr<i32, global>
    %i = arith.index_cast %j : i32 to index
    %v = ocl.load %a[%i] : !ocl.ptr<i8, global>
    ocl.store %v, %a[%i] : !ocl.ptr<i8, global>
  }
  wg.return
}

// Each work-item has a line of memory of its own, and little to compute: one after the other they
// read ahead further than gathers do.
wg.func @records(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}) {
  %n = arith.constant 64 : index
  %one = arith.constant 1 : index
  %size = arith.constant 20 : index
  // CHECK: wg_vectorize_choice.mlir:[[# @LINE + 1]]:3: remark: not vectorised: accesses all over memory cost more than vectors save [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %i = arith.muli %x, %size : index
    %v = ocl.load %a[%i] : !ocl.ptr<f32, global>
    %w = arith.mulf %v, %v : f32
    %s = arith.addf %w, %v : f32
    %t = arith.mulf %s, %v : f32
    %u = arith.addf %t, %v : f32
    ocl.store %u, %b[%x] : !ocl.ptr<f32, global>
  }
  wg.return
}

// The same for few work-items, those with one number: the others do not wait for it.
wg.func @rare_records(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}, %wanted: !ocl.ptr<i32, global> {ocl.name = "wanted"}) {
  %n = arith.constant 64 : index
  %one = arith.constant 1 : index
  %seven = arith.constant 7 : i32
  %size = arith.constant 20 : index
  // CHECK: wg_vectorize_choice.mlir:[[# @LINE + 1]]:3: remark: vectorised along x for 16 work-items [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %kind = ocl.load %wanted[%x] : !ocl.ptr<i32, global>
    %k1 = arith.muli %kind, %kind : i32
    %k2 = arith.addi %k1, %kind : i32
    %k3 = arith.muli %k2, %kind : i32
    %k4 = arith.addi %k3, %kind : i32
    %is = arith.cmpi eq, %k4, %seven : i32
    scf.if %is {
      %i = arith.muli %x, %size : index
      %v = ocl.load %a[%i] : !ocl.ptr<f32, global>
      ocl.store %v, %b[%x] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// Volatile accesses are made lane after lane.
wg.func @volatile(%a: !ocl.ptr<f32, local> {ocl.name = "a"}) {
  %n = arith.constant 64 : index
  %one = arith.constant 1 : index
  // CHECK: wg_vectorize_choice.mlir:[[# @LINE + 1]]:3: remark: not vectorised: accesses all over memory cost more than vectors save [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %v = ocl.load volatile %a[%x] : !ocl.ptr<f32, local>
    %w = arith.negf %v : f32
    ocl.store volatile %w, %a[%x] : !ocl.ptr<f32, local>
  }
  wg.return
}

// Each work-item writes a row of its own, element after element: LLVM makes vectors of the loop.
wg.func @rows(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %b: !ocl.ptr<f32, global> {ocl.name = "b"}, %size32: i32 {ocl.name = "size"}) {
  %size = arith.index_cast %size32 : i32 to index
  %zero = arith.constant 0 : index
  %n = arith.constant 64 : index
  %one = arith.constant 1 : index
  // CHECK: wg_vectorize_choice.mlir:[[# @LINE + 1]]:3: remark: not vectorised: accesses all over memory cost more than vectors save [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %u = ocl.load %a[%x] : !ocl.ptr<f32, global>
    scf.for %j = %zero to %size step %one {
      %v = ocl.load %a[%j] : !ocl.ptr<f32, global>
      %w = arith.subf %u, %v : f32
      %s = arith.mulf %w, %w : f32
      %row = arith.muli %x, %size : index
      %i = arith.addi %row, %j : index
      ocl.store %s, %b[%i] : !ocl.ptr<f32, global>
    }
  }
  wg.return
}

// A sum of integers along rows, whose elements are vectors: LLVM makes no vectors of the loop.
wg.func @row_of_vectors(%a: !ocl.ptr<vector<4xi8>, global> {ocl.name = "a"}, %b: !ocl.ptr<i32, global> {ocl.name = "b"}, %size32: i32 {ocl.name = "size"}) {
  %size = arith.index_cast %size32 : i32 to index
  %zero = arith.constant 0 : index
  %n = arith.constant 64 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  // CHECK: wg_vectorize_choice.mlir:[[# @LINE + 1]]:3: remark: vectorised along x for 16 work-items [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%n, %one, %one) {
    %row = arith.muli %x, %size : index
    %sum = scf.for %j = %zero to %size step %one iter_args(%s = %none) -> (i32) {
      %i = arith.addi %row, %j : index
      %v = ocl.load %a[%i] : !ocl.ptr<vector<4xi8>, global>
      %w = ocl.load %a[%j] : !ocl.ptr<vector<4xi8>, global>
      %v32 = vec.extsi %v : vector<4xi8> to vector<4xi32>
      %w32 = vec.extsi %w : vector<4xi8> to vector<4xi32>
      %p = arith.muli %v32, %w32 : vector<4xi32>
      %p0 = vector.extract %p[0] : i32 from vector<4xi32>
      %p1 = vector.extract %p[1] : i32 from vector<4xi32>
      %p2 = vector.extract %p[2] : i32 from vector<4xi32>
      %p3 = vector.extract %p[3] : i32 from vector<4xi32>
      %q0 = arith.addi %p0, %p1 : i32
      %q1 = arith.addi %p2, %p3 : i32
      %q = arith.addi %q0, %q1 : i32
      %t = arith.addi %s, %q : i32
      scf.yield %t : i32
    }
    ocl.store %sum, %b[%x] : !ocl.ptr<i32, global>
  }
  wg.return
}

// Neighbours agree about a guard, so that what it guards counts in full for a work-item alone, too.
wg.func @guarded(%a: !ocl.ptr<f32, global> {ocl.name = "a"}, %n32: i32 {ocl.name = "n"}, %m32: i32 {ocl.name = "m"}) {
  %n = arith.index_cast %n32 : i32 to index
  %m = arith.index_cast %m32 : i32 to index
  %zero = arith.constant 0 : index
  %size = arith.constant 64 : index
  %one = arith.constant 1 : index
  // CHECK: wg_vectorize_choice.mlir:[[# @LINE + 1]]:3: remark: vectorised along x for 16 work-items [wg-vectorize]
  wg.parallel (%x, %y, %z) in (%size, %one, %one) {
    %in = arith.cmpi slt, %x, %n : index
    scf.if %in {
      scf.for %k = %zero to %m step %one {
        %at = arith.addi %x, %k : index
        %inside = arith.cmpi slt, %at, %m : index
        scf.if %inside {
          %v = ocl.load %a[%at] : !ocl.ptr<f32, global>
          %column = arith.muli %at, %n : index
          %i = arith.addi %column, %x : index
          %u = ocl.load %a[%i] : !ocl.ptr<f32, global>
          %c = arith.mulf %u, %v : f32
          %d = math.sqrt %c : f32
          %e = arith.divf %d, %u : f32
          ocl.store %e, %a[%at] : !ocl.ptr<f32, global>
        }
      }
    }
  }
  wg.return
}
