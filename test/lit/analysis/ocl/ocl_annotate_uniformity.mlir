// RUN: ocl-opt %s -p ocl-annotate-uniformity | filecheck %s

// What the uniformity analysis knows: uniform, varying, or the stride along each dimension.


// Ids are affine, and so is what is computed from them with uniform numbers.

ocl.kernel @affine(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %width: i32 {ocl.name = "width"}) {
  %gx = ocl.global_id 0 : index
  %ly = ocl.local_id 1 : index
  %group = ocl.group_id 0 : index
  %w = arith.index_cast %width : i32 to index
  %c4 = arith.constant 4 : index
  %x4 = arith.muli %gx, %c4 : index
  %row = arith.muli %ly, %w : index
  %i = arith.addi %x4, %row : index
  %d = arith.subi %i, %x4 : index
  %gxi = arith.index_cast %gx : index to i64
  %narrow = arith.trunci %gxi : i64 to i32
  %p = ocl.offset %x[%gx] : !ocl.ptr<f32, global>
  %square = arith.muli %gx, %gx : index
  %own = arith.subi %gx, %gx : index
  ocl.return
}

// CHECK-LABEL: ocl.kernel @affine(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %width: i32 {ocl.name = "width"}) {
// CHECK-NEXT:   %gx = ocl.global_id 0 {ocl.lanes = ["x:1"]} : index
// CHECK-NEXT:   %ly = ocl.local_id 1 {ocl.lanes = ["y:1"]} : index
// CHECK-NEXT:   %group = ocl.group_id 0 {ocl.lanes = ["uniform"]} : index
// CHECK-NEXT:   %w = arith.index_cast %width {ocl.lanes = ["uniform"]} : i32 to index
// CHECK-NEXT:   %c4 = arith.constant {ocl.lanes = ["uniform"]} 4 : index
// CHECK-NEXT:   %x4 = arith.muli %gx, %c4 {ocl.lanes = ["x:4"]} : index
// CHECK-NEXT:   %row = arith.muli %ly, %w {ocl.lanes = ["y:?"]} : index
// CHECK-NEXT:   %i = arith.addi %x4, %row {ocl.lanes = ["x:4 y:?"]} : index
// CHECK-NEXT:   %d = arith.subi %i, %x4 {ocl.lanes = ["y:?"]} : index
// CHECK-NEXT:   %gxi = arith.index_cast %gx {ocl.lanes = ["x:1"]} : index to i64
// CHECK-NEXT:   %narrow = arith.trunci %gxi {ocl.lanes = ["x:1"]} : i64 to i32
// CHECK-NEXT:   %p = ocl.offset %x[%gx] {ocl.lanes = ["x:4"]} : !ocl.ptr<f32, global>
// CHECK-NEXT:   %square = arith.muli %gx, %gx {ocl.lanes = ["x:varying"]} : index
// CHECK-NEXT:   %own = arith.subi %gx, %gx {ocl.lanes = ["uniform"]} : index
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }


// Memory: uniform at a uniform address, unless it is private or volatile.

ocl.kernel @memory(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %c: !ocl.ptr<i32, global> {ocl.name = "c"}) {
  %gid = ocl.global_id 0 : index
  %one = arith.constant 1 : i32
  %u = ocl.load %x : !ocl.ptr<f32, global>
  %v = ocl.load %x[%gid] : !ocl.ptr<f32, global>
  %o = ocl.load volatile %x : !ocl.ptr<f32, global>
  %p = ocl.alloca : !ocl.ptr<f32, private>
  %q = ocl.load %p : !ocl.ptr<f32, private>
  %ticket = ocl.atomic_rmw add %c, %one : !ocl.ptr<i32, global>
  ocl.return
}

// CHECK-LABEL: ocl.kernel @memory(%x: !ocl.ptr<f32, global> {ocl.name = "x"}, %c: !ocl.ptr<i32, global> {ocl.name = "c"}) {
// CHECK-NEXT:   %gid = ocl.global_id 0 {ocl.lanes = ["x:1"]} : index
// CHECK-NEXT:   %one = arith.constant {ocl.lanes = ["uniform"]} 1 : i32
// CHECK-NEXT:   %u = ocl.load %x {ocl.lanes = ["uniform"]} : !ocl.ptr<f32, global>
// CHECK-NEXT:   %v = ocl.load %x[%gid] {ocl.lanes = ["x:varying"]} : !ocl.ptr<f32, global>
// CHECK-NEXT:   %o = ocl.load volatile %x {ocl.lanes = ["varying"]} : !ocl.ptr<f32, global>
// CHECK-NEXT:   %p = ocl.alloca {ocl.lanes = ["varying"]} : !ocl.ptr<f32, private>
// CHECK-NEXT:   %q = ocl.load %p {ocl.lanes = ["varying"]} : !ocl.ptr<f32, private>
// CHECK-NEXT:   %ticket = ocl.atomic_rmw add %c, %one {ocl.lanes = ["varying"]} : !ocl.ptr<i32, global>
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }


// Control flow: what leaves a loop depends on who left it when.

ocl.kernel @control(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %gid = ocl.global_id 0 : index
  %ub = arith.index_cast %n : i32 to index
  %same = scf.for %i = %c0 to %ub step %c1 iter_args(%a = %c0) -> (index) {
    %b = arith.addi %a, %i : index
    scf.yield %b : index
  }
  %differs = scf.for %i = %c0 to %gid step %c1 iter_args(%a = %c0) -> (index) {
    %b = arith.addi %a, %i : index
    scf.yield %b : index
  }
  %moves = scf.for %i = %c0 to %ub step %c1 iter_args(%a = %c0) -> (index) {
    %b = arith.addi %a, %gid : index
    scf.yield %b : index
  }
  %uniform = arith.cmpi slt, %ub, %c1 : index
  %one_of_two = scf.if %uniform -> (index) {
    scf.yield %gid : index
  } else {
    scf.yield %c0 : index
  }
  %varying = arith.cmpi slt, %gid, %c1 : index
  %who = scf.if %varying -> (index) {
    scf.yield %c1 : index
  } else {
    scf.yield %c0 : index
  }
  ocl.return
}

// CHECK-LABEL: ocl.kernel @control(%x: !ocl.ptr<i32, global> {ocl.name = "x"}, %n: i32 {ocl.name = "n"}) {
// CHECK-NEXT:   %c0 = arith.constant {ocl.lanes = ["uniform"]} 0 : index
// CHECK-NEXT:   %c1 = arith.constant {ocl.lanes = ["uniform"]} 1 : index
// CHECK-NEXT:   %gid = ocl.global_id 0 {ocl.lanes = ["x:1"]} : index
// CHECK-NEXT:   %ub = arith.index_cast %n {ocl.lanes = ["uniform"]} : i32 to index
// CHECK-NEXT:   %same = scf.for %i = %c0 to %ub step %c1 iter_args(%a = %c0) -> (index) {
// CHECK-NEXT:     %b = arith.addi %a, %i {ocl.lanes = ["uniform"]} : index
// CHECK-NEXT:     scf.yield %b : index
// CHECK-NEXT:   } {ocl.lanes = ["uniform"], ocl.arg_lanes = ["uniform", "uniform"]}
// CHECK-NEXT:   %differs = scf.for %i_1 = %c0 to %gid step %c1 iter_args(%a_1 = %c0) -> (index) {
// CHECK-NEXT:     %b_1 = arith.addi %a_1, %i_1 {ocl.lanes = ["uniform"]} : index
// CHECK-NEXT:     scf.yield %b_1 : index
// CHECK-NEXT:   } {ocl.lanes = ["x:varying"], ocl.arg_lanes = ["uniform", "uniform"]}
// CHECK-NEXT:   %moves = scf.for %i_2 = %c0 to %ub step %c1 iter_args(%a_2 = %c0) -> (index) {
// CHECK-NEXT:     %b_2 = arith.addi %a_2, %gid {ocl.lanes = ["x:?"]} : index
// CHECK-NEXT:     scf.yield %b_2 : index
// CHECK-NEXT:   } {ocl.lanes = ["x:?"], ocl.arg_lanes = ["uniform", "x:?"]}
// CHECK-NEXT:   %uniform = "arith.cmpi"(%ub, %c1) <{predicate = 2 : i64}> {ocl.lanes = ["uniform"]} : (index, index) -> i1
// CHECK-NEXT:   %one_of_two = scf.if %uniform -> (index) {
// CHECK-NEXT:     scf.yield %gid : index
// CHECK-NEXT:   } else {
// CHECK-NEXT:     scf.yield %c0 : index
// CHECK-NEXT:   }{ocl.lanes = ["x:?"]}
// CHECK-NEXT:   %varying = "arith.cmpi"(%gid, %c1) <{predicate = 2 : i64}> {ocl.lanes = ["x:varying"]} : (index, index) -> i1
// CHECK-NEXT:   %who = scf.if %varying -> (index) {
// CHECK-NEXT:     scf.yield %c1 : index
// CHECK-NEXT:   } else {
// CHECK-NEXT:     scf.yield %c0 : index
// CHECK-NEXT:   }{ocl.lanes = ["x:varying"]}
// CHECK-NEXT:   ocl.return
// CHECK-NEXT: }

// The lowest bits: steps of whole powers of two above the mask change none of them, and others may.

ocl.kernel @low_bits(%n: i32 {ocl.name = "n"}) {
  %gx = ocl.global_id 0 : index
  %ly = ocl.local_id 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %x8 = arith.muli %gx, %c8 : index
  %y12 = arith.muli %ly, %c12 : index
  %sum = arith.addi %x8, %y12 : index
  %and = arith.andi %sum, %c7 : index
  %other = arith.andi %c12, %x8 : index
  %rem = arith.remui %sum, %c8 : index
  %odd = arith.remui %sum, %c12 : index
  ocl.return
}

// CHECK-LABEL: ocl.kernel @low_bits(
// CHECK:        %and = arith.andi %sum, %c7 {ocl.lanes = ["y:varying"]} : index
// CHECK-NEXT:   %other = arith.andi %c12{{.*}}, %x8 {ocl.lanes = ["x:varying"]} : index
// CHECK-NEXT:   %rem = arith.remui %sum, %c8 {ocl.lanes = ["y:varying"]} : index
// CHECK-NEXT:   %odd = arith.remui %sum, %c12 {ocl.lanes = ["x:varying y:varying"]} : index
