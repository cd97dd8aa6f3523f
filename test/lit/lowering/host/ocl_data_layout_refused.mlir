// RUN: ocl-opt %s -p 'ocl-data-layout{always=true}' --split-input-file --remarks 2>&1 | filecheck %s

// What is not proved, or could be seen, keeps its layout; the remark says why.

// CHECK: remark: a: layout kept: 'ocl.load' of [M * j + gid0] in kernel 'sum' is not proved to lie in 2 x %M
ocl.kernel @sum(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %M: i32 {ocl.name = "M"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = ocl.global_id 0 : index
  %columns = arith.index_cast %M : i32 to index
  scf.for %j = %c0 to %c2 step %c1 {
    %row = arith.muli %j, %columns : index
    %at = arith.addi %row, %i : index
    %value = ocl.load %a[%at] : !ocl.ptr<i32, global>
    ocl.store %value, %a[%at] : !ocl.ptr<i32, global>
  }
  ocl.return
}
// There may be more work-items than columns.
func.func @more_items(%h: memref<?xi32>, %M: index, %n: index) {
  %c2 = arith.constant 2 : index
  %count = arith.muli %M, %c2 : index
  %M32 = arith.index_cast %M : index to i32
  %a = host.buffer %count : !host.buffer<i32>
  host.launch @sum global [%n] (%a, %M32) : !host.buffer<i32>, i32
  host.read %a to %h : !host.buffer<i32>, memref<?xi32>
  func.return
}

// -----

ocl.kernel @sum(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %M: i32 {ocl.name = "M"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = ocl.global_id 0 : index
  %columns = arith.index_cast %M : i32 to index
  scf.for %j = %c0 to %c2 step %c1 {
    %row = arith.muli %j, %columns : index
    %at = arith.addi %row, %i : index
    %value = ocl.load %a[%at] : !ocl.ptr<i32, global>
    ocl.store %value, %a[%at] : !ocl.ptr<i32, global>
  }
  ocl.return
}
func.func @escapes(%h: memref<?xi32>, %k: memref<?xvector<2xi32>>, %M: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = arith.constant 0 : i32
  %count = arith.muli %M, %c2 : index
  %M32 = arith.index_cast %M : index to i32
  // CHECK: remark: seen: layout kept: 'show' may access it in any way
  %seen = host.buffer %count : !host.buffer<i32>
  host.launch @sum global [%M] (%seen, %M32) : !host.buffer<i32>, i32
  host.opaque "show"(%seen) : (!host.buffer<i32>) -> ()
  func.return
}

// -----

ocl.kernel @sum(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %M: i32 {ocl.name = "M"}) {
  %i = ocl.global_id 0 : index
  %two = arith.constant 2 : index
  %row = arith.muli %i, %two : index
  %value = ocl.load %a[%row] : !ocl.ptr<i32, global>
  ocl.return
}
func.func @parts(%h: memref<?xi32>, %M: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %count = arith.muli %M, %c2 : index
  %M32 = arith.index_cast %M : index to i32
  // CHECK: remark: part: layout kept: a part of it is read
  %part = host.buffer %count : !host.buffer<i32>
  host.launch @sum global [%M] (%part, %M32) : !host.buffer<i32>, i32
  host.read %part to %h[%c1] count %c1 : !host.buffer<i32>, memref<?xi32>
  func.return
}

// -----

ocl.kernel @sum(%a: !ocl.ptr<i32, global> {ocl.name = "a"}) {
  %i = ocl.global_id 0 : index
  %two = arith.constant 2 : index
  %row = arith.muli %i, %two : index
  %value = ocl.load %a[%row] : !ocl.ptr<i32, global>
  ocl.return
}
ocl.kernel @bytes(%a: !ocl.ptr<i8, global> {ocl.name = "a"}) {
  ocl.return
}
func.func @mixed(%h: memref<?xi32>, %M: index) {
  %c2 = arith.constant 2 : index
  %count = arith.muli %M, %c2 : index
  // CHECK: remark: mixed: layout kept: kernel 'sum' accesses it as i32
  %mixed = host.buffer %count : !host.buffer<i8>
  host.launch @sum global [%M] (%mixed) : !host.buffer<i8>
  host.launch @bytes global [%M] (%mixed) : !host.buffer<i8>
  func.return
}

// -----

ocl.kernel @sum(%a: !ocl.ptr<i32, global> {ocl.name = "a"}) {
  %i = ocl.global_id 0 : index
  %two = arith.constant 2 : index
  %row = arith.muli %i, %two : index
  %value = ocl.load %a[%row] : !ocl.ptr<i32, global>
  ocl.return
}
// Another kernel reads across the rows that this one has.
ocl.kernel @across(%a: !ocl.ptr<i32, global> {ocl.name = "a"}) {
  %i = ocl.global_id 0 : index
  %value = ocl.load %a[%i] : !ocl.ptr<i32, global>
  ocl.return
}
func.func @across_rows(%h: memref<?xi32>, %M: index) {
  %c2 = arith.constant 2 : index
  %count = arith.muli %M, %c2 : index
  // CHECK: remark: both: layout kept: 'ocl.load' of [gid0] in kernel 'across' is not proved to lie in %M x 2
  %both = host.buffer %count : !host.buffer<i32>
  host.launch @sum global [%M] (%both) : !host.buffer<i32>
  host.launch @across global [%count] (%both) : !host.buffer<i32>
  func.return
}

// -----

ocl.kernel @sum(%a: !ocl.ptr<i32, global> {ocl.name = "a"}, %b: !ocl.ptr<i32, global> {ocl.name = "b"}, %n: i32 {ocl.name = "n"}) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c20 = arith.constant 20 : i32
  %i = ocl.global_id 0 : index
  %item = arith.index_cast %i : index to i32
  %sum = scf.for %j = %c0 to %c20 step %c1 iter_args(%s = %c0) -> (i32) : i32 {
    %row = arith.muli %j, %n : i32
    %at32 = arith.addi %row, %item : i32
    %at = arith.index_cast %at32 : i32 to index
    %value = ocl.load %a[%at] : !ocl.ptr<i32, global>
    %next = arith.addi %s, %value : i32
    scf.yield %next : i32
  }
  ocl.store %sum, %b[%i] : !ocl.ptr<i32, global>
  ocl.return
}
// RUN: ocl-opt %s -p 'ocl-data-layout' --split-input-file --remarks 2>&1 | filecheck %s --check-prefix=ONCE
// ONCE: remark: a: layout kept: reuse distance 19 -> 0, but kernels access an element about 1 times, transposed about 1 times
func.func @once(%h: memref<?xi32>, %r: memref<?xi32>, %n: index) {
  %c20 = arith.constant 20 : index
  %count = arith.muli %n, %c20 : index
  %n32 = arith.index_cast %n : index to i32
  %a = host.buffer %count : !host.buffer<i32>
  %b = host.buffer %n : !host.buffer<i32>
  host.write %h to %a : memref<?xi32>, !host.buffer<i32>
  host.launch @sum global [%n] (%a, %b, %n32) : !host.buffer<i32>, !host.buffer<i32>, i32
  host.read %b to %r : !host.buffer<i32>, memref<?xi32>
  func.return
}
